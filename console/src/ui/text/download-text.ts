/** Hands `text` to the browser as a file to save. */
export function downloadText(fileName: string, mediaType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download has its own hold on the bytes once the click is over.
  window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}
