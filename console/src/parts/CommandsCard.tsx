import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { terms } from '../copy/terms.ts';
import { CodeBlock } from '../ui/text/CodeBlock.tsx';
import { TextLink } from '../ui/text/TextLink.tsx';
import { partsCopy } from './copy.ts';

const words = partsCopy.commands;

/** Commands of the command line for what a page shows, in a collapsible card. With `isOpen` it is open at first. */
export function CommandsCard({
  hint,
  commands,
  isOpen = false,
  className = '',
}: {
  hint: string;
  commands: readonly { does: string; code: string }[];
  isOpen?: boolean | undefined;
  className?: string | undefined;
}) {
  return (
    <details
      open={isOpen}
      className={`group min-w-0 rounded-card border border-line bg-surface print:hidden ${className}`}
    >
      <summary className="flex min-h-12 cursor-default list-none items-center gap-2 rounded-card px-4.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-ink3 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:rotate-90"
        />
        <h2 className="text-section">{terms.commandLine}</h2>
        <span className="text-body text-ink3 max-sm:hidden">{hint}</span>
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-4.5">
        <ul className="grid gap-x-5 gap-y-4 lg:grid-cols-2">
          {commands.map(({ does, code }) => (
            <li key={does} className="flex min-w-0 flex-col gap-1.5">
              <span className="text-body text-ink2">{does}</span>
              <CodeBlock
                code={code}
                what={words.what(does)}
                // Several lines are pasted as they are.
                prompt={code.includes('\n') ? undefined : '$'}
              />
            </li>
          ))}
        </ul>
        <p className="text-body text-ink2">
          {words.install}{' '}
          <TextLink render={<Link to="/help" hash="command-line" />}>{words.installLink}</TextLink>.
        </p>
      </div>
    </details>
  );
}
