import type { ReactNode } from 'react';

const tones = {
  ok: 'border-transparent bg-ok-wash text-ok',
  warn: 'border-transparent bg-warn-wash text-warn',
  danger: 'border-transparent bg-danger-wash text-danger',
  'danger-solid': 'border-danger bg-danger text-on-danger',
  'danger-outline': 'border-danger text-danger',
  denim: 'border-transparent bg-denim-wash text-denim',
  rivet: 'border-transparent bg-rivet-wash text-rivet',
  mute: 'border-transparent bg-mute-wash text-mute',
  outline: 'border-line-strong text-ink2',
};

/** The colours of a badge. */
export type BadgeTone = keyof typeof tones;

const plainTones: Partial<Record<BadgeTone, string>> = { denim: 'text-denim', mute: 'text-mute' };

/**
 * A state as a word and an icon; the colour only repeats them. `icon` is 13 px. In a column of pills and plain ones the pills hang out by their padding, so that all
 * icons align.
 */
export function Badge({
  tone,
  icon,
  isStruck = false,
  look = 'pill',
  children,
}: {
  tone: BadgeTone;
  icon?: ReactNode;
  isStruck?: boolean | undefined;
  look?: 'pill' | 'hanging' | 'plain';
  children: ReactNode;
}) {
  if (look === 'plain')
    return (
      <span className={`inline-flex h-5.5 items-center gap-1.5 text-label ${plainTones[tone] ?? ''}`}>
        {icon}
        <span className="font-normal whitespace-nowrap text-ink2">{children}</span>
      </span>
    );
  return (
    <span
      className={`${look === 'hanging' ? '-ms-[9px]' : 'max-w-full'} bordered-when-forced inline-flex h-5.5 items-center gap-1.5 rounded-full border px-2 text-label whitespace-nowrap print:border-line-strong print:bg-transparent print:text-ink ${tones[tone]}`}
    >
      {icon}
      <span className={`own-direction relative truncate ${isStruck ? 'line-through' : ''}`}>{children}</span>
    </span>
  );
}
