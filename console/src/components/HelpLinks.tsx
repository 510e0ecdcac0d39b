import { Link } from '@tanstack/react-router';
import { CircleQuestionMark, SquareTerminal } from 'lucide-react';
import { en } from '../copy/en.ts';
import { buttonClass } from '../ui/action/button-class.ts';

const className = buttonClass('quiet', 'medium', true);

/** The links to help and to the command line in the header. */
export function HelpLinks() {
  return (
    <span className="flex max-sm:hidden">
      <Link
        to="/help"
        hash="command-line"
        aria-label={en.shell.commandLine}
        title={en.shell.commandLine}
        className={className}
      >
        <SquareTerminal size={17} aria-hidden />
      </Link>
      <Link to="/help" aria-label={en.shell.help} title={en.shell.help} className={className}>
        <CircleQuestionMark size={17} aria-hidden />
      </Link>
    </span>
  );
}
