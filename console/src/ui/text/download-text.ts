/** Downloads `text` as a file. */
export function downloadText(fileName: string, mediaType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download reads the blob shortly after the click and does not need the URL afterwards.
  window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}
