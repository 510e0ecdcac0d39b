/** An object as formatted JSON; a string, number or boolean as text. */
export function JsonView({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null)
    return <span className="wrap-anywhere">{String(value ?? '')}</span>;
  return (
    <pre dir="ltr" className="font-mono text-mono wrap-anywhere whitespace-pre-wrap">
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
