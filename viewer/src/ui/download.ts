// Files that the page makes.

export function save(name: string, content: Blob | string): void {
  const link = document.createElement('a');
  const url = typeof content === 'string' ? content : URL.createObjectURL(content);
  link.href = url;
  link.download = name;
  link.click();
  if (typeof content !== 'string') setTimeout(() => URL.revokeObjectURL(url), 10000);
}
