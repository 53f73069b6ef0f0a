// Something that others listen to, event by event.

export class Events<All extends object> {
  private readonly listeners: {[Name in keyof All]?: Set<(event: All[Name]) => void>} = {};

  /** Calls `listener` for each event of the name, until what it returns is called. */
  on<Name extends keyof All>(name: Name, listener: (event: All[Name]) => void): () => void {
    const all = this.listeners[name] ?? new Set<(event: All[Name]) => void>();
    this.listeners[name] = all;
    all.add(listener);
    return () => void all.delete(listener);
  }

  emit<Name extends keyof All>(name: Name, event: All[Name]): void {
    for (const listener of [...(this.listeners[name] ?? [])]) listener(event);
  }
}
