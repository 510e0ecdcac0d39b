/** A number of what will happen, with what it counts below; `tone` sets the one apart that matters most. */
export function PreviewFigure({
  value,
  label,
  tone,
}: {
  value: string;
  label: string;
  tone?: 'denim' | undefined;
}) {
  return (
    <div className="flex flex-col-reverse justify-end px-4.5 py-3.5 max-sm:px-3">
      <dt className="text-small text-ink3">{label}</dt>
      <dd className={`tabular text-title whitespace-nowrap ${tone === 'denim' ? 'text-denim' : ''}`}>
        {value}
      </dd>
    </div>
  );
}
