const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Formats a size in binary units with at most one decimal, e.g. "28.9 MiB". */
export function formatSize(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const size = (bytes / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 });
  return `${size} ${units[power]}`;
}
