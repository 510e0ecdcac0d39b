import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu } from '../ui/overlay/Menu.tsx';
import { MenuLabel } from '../ui/overlay/MenuLabel.tsx';
import { MenuLink } from '../ui/overlay/MenuLink.tsx';
import { MenuSeparator } from '../ui/overlay/MenuSeparator.tsx';
import { Skeleton } from '../ui/layout/Skeleton.tsx';
import { useRail } from '../ui/layout/use-rail.ts';
import { IdTag } from '../ui/text/IdTag.tsx';
import type { Section } from './sections.ts';

/** A project or a repository in a switcher. */
interface Choice {
  readonly id: string;
  readonly name: string;
  /** The path of the section to open in it. */
  readonly path: string;
}

/** The head of a sidebar: the name of the open project or repository, a menu of the user's others, and its id. `all` is their list. */
export function ScopeSwitcher({
  label,
  name,
  glyph,
  id,
  idWhat,
  choices,
  all: { icon: AllIcon, link, text },
}: {
  label: string;
  /** Undefined while it loads. */
  name: string | undefined;
  glyph: ReactNode;
  id: string;
  /** Names the id, e.g. "project ID". */
  idWhat: string;
  choices: readonly Choice[];
  all: Pick<Section, 'icon' | 'link'> & { text: string };
}) {
  const isRail = useRail();
  return (
    <div className="flex flex-col gap-1.5">
      <Menu
        align="start"
        label={label}
        hint={isRail ? name : undefined}
        trigger={
          <button
            type="button"
            className="flex min-h-12 w-full items-center gap-2.5 rounded-card border border-line bg-surface px-2.5 py-1.5 text-start transition-colors hover:border-line-strong sm:max-lg:in-[aside]:min-h-10 sm:max-lg:in-[aside]:justify-center sm:max-lg:in-[aside]:px-0"
          >
            {glyph}
            <span className="own-direction min-w-0 flex-1 truncate text-body font-head sm:max-lg:in-[aside]:sr-only">
              {name ?? <Skeleton width="70%" />}
            </span>
            <ChevronsUpDown
              size={15}
              aria-hidden
              className="shrink-0 text-ink3 sm:max-lg:in-[aside]:hidden"
            />
          </button>
        }
      >
        <MenuLabel>{label}</MenuLabel>
        {choices.map((choice) => (
          <MenuLink
            key={choice.id}
            icon={choice.id === id && <Check size={15} aria-hidden />}
            render={<Link to={choice.path} />}
          >
            {choice.name}
          </MenuLink>
        ))}
        <MenuSeparator />
        <MenuLink icon={<AllIcon size={15} aria-hidden />} render={<Link to={link} />}>
          {text}
        </MenuLink>
      </Menu>
      <span className="px-1 sm:max-lg:in-[aside]:hidden">
        <IdTag value={id} what={idWhat} length={18} />
      </span>
    </div>
  );
}
