import { TriangleAlert } from 'lucide-react';

const toneClasses = {
  notice: 'border-rivet/30 bg-rivet-wash',
  warning: 'border-warn/40 bg-warn-wash',
};

/** A notice above the header; `label` names it for screen readers. The caller must sanitise `html`. */
export function Banner({
  label,
  html,
  tone = 'notice',
}: {
  label: string;
  html: string;
  tone?: keyof typeof toneClasses | undefined;
}) {
  return (
    <section
      aria-label={label}
      className={`flex items-start justify-center gap-2.5 border-b px-6 py-2 text-body text-ink max-sm:px-4 print:hidden [&_a]:font-head [&_a]:underline ${toneClasses[tone]}`}
    >
      {tone === 'warning' && <TriangleAlert size={17} aria-hidden className="mt-0.5 shrink-0 text-warn" />}
      <div className="own-direction min-w-0 wrap-anywhere" dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  );
}
