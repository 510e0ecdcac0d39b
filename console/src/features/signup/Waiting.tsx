import { Spinner } from '../../ui/picture/Spinner.tsx';

/** The page of a link while the hub is asked about it. */
export function Waiting({ title, text }: { title: string; text: string }) {
  return (
    <div className="mt-10 flex flex-col gap-5">
      <span className="text-denim">
        <Spinner size={48} />
      </span>
      <h1 tabIndex={-1} className="text-display">
        {title}
      </h1>
      <p className="text-body text-ink2">{text}</p>
    </div>
  );
}
