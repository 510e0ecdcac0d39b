import { CircleAlert } from 'lucide-react';
import { type Ref, useId } from 'react';

/** The errors of a form that could not be submitted, as links to its fields. Focus it after the failed submit. */
export function ErrorSummary({
  title,
  errors,
  onSelect,
  ref,
}: {
  title: string;
  /** The fields by name, with their messages, in the order of the form. */
  errors: readonly { name: string; message: string }[];
  /** Called with the name of the field to focus. */
  onSelect: (name: string) => void;
  ref?: Ref<HTMLDivElement> | undefined;
}) {
  const titleId = useId();
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-labelledby={titleId}
      className="bordered-when-forced flex items-start gap-3 rounded-card bg-danger-wash px-4 py-3"
    >
      <CircleAlert size={18} aria-hidden className="mt-px shrink-0 text-danger" />
      <div className="min-w-0">
        <p id={titleId} className="text-body font-head text-danger">
          {title}
        </p>
        <ul className="mt-1 flex flex-col gap-0.5">
          {errors.map(({ name, message }) => (
            <li key={name}>
              <a
                href={`#${name}`}
                onClick={(event) => {
                  event.preventDefault();
                  onSelect(name);
                }}
                className="own-direction rounded-control text-body text-ink underline underline-offset-2 hover:text-danger pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
              >
                {message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
