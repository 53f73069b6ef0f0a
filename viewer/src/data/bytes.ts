// The bytes of a log where they lie: in memory, in a file on disk, or with the server. Read in parts, of which few are kept.

/** Something with bytes that are read in parts. */
export interface ByteSource {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

export class MemorySource implements ByteSource {
  constructor(private readonly bytes: Uint8Array) {}
  get size(): number { return this.bytes.length; }
  read(offset: number, length: number): Promise<Uint8Array> { return Promise.resolve(this.bytes.subarray(offset, offset + length)); }
}

/** A file that the user has chosen: slices of it are read from disk. */
export class BlobSource implements ByteSource {
  constructor(private readonly blob: Blob) {}
  get size(): number { return this.blob.size; }
  async read(offset: number, length: number): Promise<Uint8Array> {
    return new Uint8Array(await this.blob.slice(offset, offset + length).arrayBuffer());
  }
}

/** Bytes of one page of a file. */
const PAGE = 1 << 18;
/** Pages that are asked for at once, and that are kept: 4 MB and 16 MB. */
const MOST_AT_ONCE = 16, MOST_KEPT = 64;

/** A file of the server, by ranges of HTTP. */
class HttpSource implements ByteSource {
  constructor(private readonly path: string, private readonly headers: Record<string, string>, readonly size: number, private readonly tag: string | null) {}

  async read(offset: number, length: number): Promise<Uint8Array> {
    const response = await fetch(this.path, {
      headers: {...this.headers, Range: `bytes=${offset}-${offset + length - 1}`, ...(this.tag === null ? {} : {'If-Range': this.tag})},
    });
    // The whole file comes where it is no longer the one that was opened.
    if (response.status === 200) {
      void response.body?.cancel();
      throw new Error('the file has changed: load the page again');
    }
    if (response.status !== 206) throw new Error(`${this.path}: the server answered ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/** A file of the server. A server that knows no ranges sends all of it. */
export async function openHttp(path: string, headers: Record<string, string>): Promise<ByteSource> {
  const response = await fetch(path, {headers: {...headers, Range: `bytes=0-${PAGE - 1}`}});
  if (response.status !== 206 && !response.ok) throw new Error(`${path}: the server answered ${response.status} ${response.statusText}`);
  const first = new Uint8Array(await response.arrayBuffer());
  const size = response.status === 206 ? Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1]) : first.length;
  if (!(size >= first.length)) throw new Error(`${path}: the server does not say how long the file is`);
  if (size === first.length) return new MemorySource(first);
  return new HttpSource(path, headers, size, response.headers.get('ETag'));
}

/** Keeps the parts of a source that were read last. */
export class PagedBytes {
  /** What was read so far from the source. */
  readonly read = {requests: 0, bytes: 0};
  private readonly pages = new Map<number, Promise<Uint8Array>>();

  constructor(private readonly source: ByteSource) {}

  get size(): number { return this.source.size; }

  /** The bytes from `offset` on, all of them; throws where the file ends before. */
  async get(offset: number, length: number): Promise<Uint8Array> {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.size)) throw new Error('the file ends too early');
    const first = Math.floor(offset / PAGE), last = Math.floor(Math.max(offset + length - 1, offset) / PAGE);
    const pages = await Promise.all(this.fetch(first, last));
    if (pages.length === 1) return pages[0].subarray(offset - first * PAGE, offset - first * PAGE + length);
    const out = new Uint8Array(length);
    pages.forEach((page, i) => {
      const start = (first + i) * PAGE, from = Math.max(offset - start, 0), to = Math.min(offset + length - start, page.length);
      out.set(page.subarray(from, to), start + from - offset);
    });
    return out;
  }

  private fetch(first: number, last: number): Promise<Uint8Array>[] {
    const found: Promise<Uint8Array>[] = [];
    for (let page = first; page <= last;) {
      const kept = this.pages.get(page);
      if (kept) {
        this.pages.delete(page);
        this.pages.set(page, kept);
        found.push(kept);
        ++page;
        continue;
      }
      let end = page + 1;
      while (end <= last && end - page < MOST_AT_ONCE && !this.pages.has(end)) ++end;
      found.push(...this.request(page, end));
      page = end;
    }
    for (const page of this.pages.keys()) {
      if (this.pages.size <= MOST_KEPT) break;
      this.pages.delete(page);
    }
    return found;
  }

  /** Reads the pages from `begin` to before `end` at once. */
  private request(begin: number, end: number): Promise<Uint8Array>[] {
    const offset = begin * PAGE, length = Math.min(end * PAGE, this.size) - offset;
    this.read.requests += 1;
    this.read.bytes += length;
    const whole = this.source.read(offset, length).then((bytes) => {
      if (bytes.length !== length) throw new Error('the file ends too early');
      return bytes;
    });
    return Array.from({length: end - begin}, (_, i) => {
      const page = whole.then((bytes) => (end - begin === 1 ? bytes : bytes.slice(i * PAGE, (i + 1) * PAGE)));
      this.pages.set(begin + i, page);
      // What failed is tried again.
      page.catch(() => this.pages.delete(begin + i));
      return page;
    });
  }
}
