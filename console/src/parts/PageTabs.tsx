import { Link, type LinkProps } from '@tanstack/react-router';

/** The parts of a page as links, of which one is open. */
export function PageTabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { readonly name: string; readonly link: LinkProps; readonly isOpen: boolean }[];
}) {
  return (
    <nav aria-label={label} className="border-b border-line print:hidden">
      <ul className="-mb-px flex flex-wrap">
        {tabs.map(({ name, link, isOpen }) => (
          <li key={name}>
            <Link
              {...link}
              resetScroll={false}
              {...(isOpen ? { 'aria-current': 'page' as const } : {})}
              className={`flex min-h-10 items-center border-b-2 px-3.5 text-label pointer-coarse:min-h-11 ${isOpen ? 'border-denim text-ink' : 'border-transparent text-ink2 hover:text-ink'}`}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
