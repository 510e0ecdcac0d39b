import { CopyButton } from '../../ui/text/CopyButton.tsx';
import { jsonText } from '../../ui/text/json-text.ts';
import { JsonView } from '../../ui/text/JsonView.tsx';
import { logCopy } from './copy.ts';

/** A logged row, or its data, as JSON, with a button that copies it. `what` names what is copied. */
export function RawJson({ row, what, title = logCopy.raw }: { row: object; what: string; title?: string }) {
  return (
    <section className="rounded-card border border-line">
      <div className="flex items-center justify-between border-b border-line py-1.5 ps-3 pe-1.5">
        <h3 className="text-label">{title}</h3>
        <CopyButton text={jsonText(row, 2)} what={what} />
      </div>
      <div className="p-3">
        <JsonView value={row} isWhole />
      </div>
    </section>
  );
}
