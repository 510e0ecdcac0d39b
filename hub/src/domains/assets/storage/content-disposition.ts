const maxFallbackCharacters = 150;
const maxNameBytes = 255;

/**
 * The Content-Disposition of a download (RFC 6266): always an attachment, with a plain name for old programs and the whole name in UTF-8. Without a name, the
 * URL names the file. A name may be any text: it cannot end the header or the quotes, and it has no path.
 */
export function contentDisposition(filename: string | undefined): string {
  const name = baseNameOf(filename ?? '');
  if (name === '') return 'attachment';
  const plain = name
    .slice(0, maxFallbackCharacters)
    .replaceAll(/[^\x20-\x7e]/g, '_')
    .replaceAll(/["\\%;]/g, '_');
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

/** The last part of a path, without control and format characters, which could disguise its extension. */
function baseNameOf(filename: string): string {
  const last = filename.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = last.replaceAll(/\p{C}/gu, '').trim();
  return clean === '.' || clean === '..' ? '' : cut(clean);
}

/** The beginning of a text that fits into a file name, without half a character. */
function cut(text: string): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxNameBytes) break;
    kept += character;
  }
  return kept;
}

/** Percent-encodes what RFC 8187 does not allow in a value. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
