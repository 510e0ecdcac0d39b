import { formatSize } from './format-size.ts';

/** A number of bytes in groups of three digits; the tooltip has it in a unit, such as MiB. */
export function ByteCount({ bytes }: { bytes: number }) {
  return (
    <span className="tabular whitespace-nowrap" title={formatSize(bytes)}>
      {bytes.toLocaleString('en')}
    </span>
  );
}
