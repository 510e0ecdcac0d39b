import { ChevronRight, Copy } from 'lucide-react';
import { useState } from 'react';
import { uiCopy } from '../copy.ts';
import { useCopy } from './use-copy.ts';

/** An object as a collapsible tree; every line has a button that copies its path. `depth` levels start expanded. */
export function JsonTree({
  value,
  name,
  depth = 2,
}: {
  value: unknown;
  name?: string | undefined;
  depth?: number | undefined;
}) {
  return (
    <div dir="ltr" className="font-mono text-mono">
      <Node name={name} value={value} path={name ?? ''} depth={depth} />
    </div>
  );
}

type NodeProps = { name: string | undefined; value: unknown; path: string; depth: number };

function Node({ name, value, path, depth }: NodeProps) {
  const [isOpen, setIsOpen] = useState(depth > 0);
  const isBranch = typeof value === 'object' && value !== null;
  if (!isBranch) return <Leaf name={name} value={value} path={path} />;
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return (
    <div>
      <div className="group flex items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? uiCopy.json.collapse : uiCopy.json.expand} ${name ?? ''}`}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex min-h-6 items-center gap-1 rounded-control"
        >
          <ChevronRight
            size={13}
            aria-hidden
            className={`text-ink3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
          />
          {name !== undefined && <span className="text-ink3">{name}:</span>}
          <span>{isOpen ? open : `${open} ${uiCopy.json.items(entries.length)} ${close}`}</span>
        </button>
        <CopyPath path={path} />
      </div>
      {isOpen && (
        <>
          <div className="ms-[6px] border-s border-line ps-4">
            {entries.map(([key, child]) => (
              <Node
                key={key}
                name={key}
                value={child}
                path={join(path, key, Array.isArray(value))}
                depth={depth - 1}
              />
            ))}
          </div>
          <div className="ps-4">{close}</div>
        </>
      )}
    </div>
  );
}

function Leaf({ name, value, path }: Omit<NodeProps, 'depth'>) {
  return (
    <div className="group flex min-h-6 items-start gap-1 ps-4">
      <span className="min-w-0 wrap-anywhere">
        {name !== undefined && <span className="text-ink3">{name}: </span>}
        <span className={typeof value === 'string' ? 'text-ink' : 'text-denim'}>{JSON.stringify(value)}</span>
      </span>
      <CopyPath path={path} />
    </div>
  );
}

function CopyPath({ path }: { path: string }) {
  const { copy } = useCopy(path, path);
  if (path === '') return null;
  return (
    <button
      type="button"
      aria-label={uiCopy.copy.copyWhat(path)}
      onClick={() => void copy()}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-control text-ink3 opacity-0 group-hover:opacity-100 hover:text-ink focus-visible:opacity-100"
    >
      <Copy size={12} aria-hidden />
    </button>
  );
}

function join(path: string, key: string, isList: boolean): string {
  if (isList) return `${path}[${key}]`;
  const isPlain = /^[A-Za-z_$][\w$]*$/u.test(key);
  if (!isPlain) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
