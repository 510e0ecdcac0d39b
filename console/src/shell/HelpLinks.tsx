import { Link } from '@tanstack/react-router';
import { CircleQuestionMark, SquareTerminal } from 'lucide-react';
import { shellCopy } from './copy.ts';
import { terms } from '../copy/terms.ts';
import { buttonClass } from '../ui/action/button-class.ts';

const className = buttonClass('quiet', 'medium', true);

/** The links to help and to the command line in the header. */
export function HelpLinks() {
  return (
    <span className="flex max-sm:hidden">
      <Link
        to="/help"
        hash="command-line"
        aria-label={shellCopy.commandLine}
        title={shellCopy.commandLine}
        className={className}
      >
        <SquareTerminal size={17} aria-hidden />
      </Link>
      <Link to="/help" aria-label={terms.sections.help} title={terms.sections.help} className={className}>
        <CircleQuestionMark size={17} aria-hidden />
      </Link>
    </span>
  );
}
