import { Link } from '@tanstack/react-router';
import { SquareTerminal } from 'lucide-react';
import { terms } from '../copy/terms.ts';
import { buttonClass } from '../ui/action/button-class.ts';
import { sectionOf } from './section-paths.ts';

const className = buttonClass('quiet', 'medium', true);

/** The links to help and to the command line in the header. */
export function HeaderHelpLinks() {
  const { label, link, icon: Icon } = sectionOf('help');
  return (
    <span className="flex max-sm:hidden">
      <Link
        to={link}
        hash="command-line"
        aria-label={terms.commandLine}
        title={terms.commandLine}
        className={className}
      >
        <SquareTerminal size={17} aria-hidden />
      </Link>
      <Link to={link} aria-label={label()} title={label()} className={className}>
        <Icon size={17} aria-hidden />
      </Link>
    </span>
  );
}
