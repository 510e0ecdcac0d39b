import { CopyButton } from './CopyButton.tsx';

/** The name of an option, which breaks at none of its hyphens. */
const option = /(?<=\s)(--[\w-]+)/u;

/** A command or a file with a copy button; long lines wrap. `what` names it for the button, e.g. "agent command". */
export function CodeBlock({
  code,
  what,
  prompt,
}: {
  code: string;
  what: string;
  prompt?: string | undefined;
}) {
  return (
    <div
      dir="ltr"
      className="flex items-start gap-2 rounded-control border border-line bg-sunken ps-3 pe-1.5 py-1.5"
    >
      <pre
        role="group"
        aria-label={what}
        className="min-w-0 flex-1 py-1 font-mono text-mono wrap-anywhere whitespace-pre-wrap"
      >
        {prompt !== undefined && (
          <span aria-hidden className="select-none text-ink3">
            {prompt}{' '}
          </span>
        )}
        <code className="text-ink">
          {code.split(option).map((part, index) =>
            part.startsWith('--') ? (
              <span key={index} className="whitespace-nowrap">
                {part}
              </span>
            ) : (
              part
            ),
          )}
        </code>
      </pre>
      <CopyButton text={code} what={what} variant="quiet" isIconOnly />
    </div>
  );
}
