import { Pencil } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/action/Button.tsx';
import { uiCopy } from '../../ui/copy.ts';
import { jsonText } from '../../ui/text/json-text.ts';
import { JsonView } from '../../ui/text/JsonView.tsx';
import { useIsCut } from '../../ui/text/use-is-cut.ts';

/** A value on one line, long JSON of which opens, with what is beside it and the button that edits it. */
export function ValueLine({
  value,
  picture,
  note,
  edit,
}: {
  /** JSON, or what is shown in its place. */
  value: { readonly json: unknown } | { readonly shown: ReactNode };
  picture?: ReactNode;
  note?: ReactNode;
  edit?: { readonly label: string; readonly onEdit: () => void } | undefined;
}) {
  return (
    <span
      className={`flex flex-wrap gap-x-3 gap-y-1 sm:flex-nowrap ${picture === undefined ? 'items-start' : 'items-center'}`}
    >
      <span className="min-w-12 flex-1">
        {'json' in value ? <JsonLine value={value.json} /> : value.shown}
      </span>
      {picture !== undefined && <span className="w-28 shrink-0 max-sm:order-1 max-sm:w-full">{picture}</span>}
      {note !== undefined && (
        <span className="tabular w-20 shrink-0 text-end text-small/5 text-ink3 max-sm:order-2 max-sm:w-full max-sm:text-start">
          {note}
        </span>
      )}
      {edit === undefined ? (
        // As wide as the button, so that the notes stay below each other.
        note !== undefined && <span className="w-7 shrink-0 max-sm:hidden" />
      ) : (
        <Button
          size="small"
          variant="quiet"
          isWrite
          label={edit.label}
          icon={<Pencil size={14} aria-hidden />}
          className="-my-1 shrink-0"
          onClick={edit.onEdit}
        />
      )}
    </span>
  );
}

function JsonLine({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null) return <JsonView value={value} />;
  return <ObjectLine value={value} />;
}

function ObjectLine({ value }: { value: object }) {
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLElement>(null);
  const line = jsonText(value, 1).replaceAll(/\n\s*/gu, ' ');
  const isCut = useIsCut(box, isOpen ? '' : line);
  return (
    <span className="flex min-w-0 items-start gap-2">
      <span className="min-w-0 flex-1">
        {isOpen ? (
          <JsonView value={value} isWhole />
        ) : (
          <code ref={box} dir="ltr" className="block truncate font-mono text-mono print:whitespace-pre-wrap">
            {line}
          </code>
        )}
      </span>
      {(isCut || isOpen) && (
        <Button
          size="small"
          variant="quiet"
          className="-my-1 shrink-0"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? uiCopy.longText.less : uiCopy.longText.all}
        </Button>
      )}
    </span>
  );
}
