import { ShieldCheck } from 'lucide-react';
import { devicesCopy } from './copy.ts';

/** Why a pending certificate may be accepted without comparing it. */
export function ExpectedNote() {
  return (
    <p className="flex items-start gap-1.5 text-small text-ok">
      <ShieldCheck size={14} aria-hidden className="mt-px shrink-0" />
      <span className="min-w-0 whitespace-normal">{devicesCopy.expected}</span>
    </p>
  );
}
