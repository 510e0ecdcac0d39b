/** Saves bytes as a file of this machine, as the browser saves downloads. */
export function saveAs(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
