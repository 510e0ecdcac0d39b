import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, LogOut, Settings } from 'lucide-react';
import { shellCopy } from './copy.ts';
import { terms } from '../copy/terms.ts';
import { userQuery } from '../data/queries-account.ts';
import { Menu } from '../ui/overlay/Menu.tsx';
import { MenuItem } from '../ui/overlay/MenuItem.tsx';
import { MenuLabel } from '../ui/overlay/MenuLabel.tsx';
import { MenuLink } from '../ui/overlay/MenuLink.tsx';
import { MenuSeparator } from '../ui/overlay/MenuSeparator.tsx';
import { Avatar } from '../ui/picture/Avatar.tsx';
import { sectionOf, sectionsOf } from './section-paths.ts';
import type { Section } from './sections.ts';
import { ThemeMenu } from './ThemeMenu.tsx';
import { useInvitationCount } from './use-invitation-count.ts';
import { useLogOut } from './use-log-out.ts';

/** The menu of the signed-in user. */
export function AccountMenu({ userId }: { userId: Id<'user'> }) {
  const { data: user } = useQuery(userQuery(userId));
  const logOut = useLogOut();
  const displayName = user?.displayName?.trim() ?? '';
  const name = displayName === '' ? terms.myAccount : displayName;
  const own = sectionsOf(['user'], user?.isAdmin === true);
  const invitations = useInvitationCount(userId);
  return (
    <Menu
      label={shellCopy.account.menu(name)}
      trigger={
        <button
          type="button"
          className="inline-flex h-9 max-w-56 min-w-0 items-center gap-2 rounded-control px-1.5 text-body font-head transition-colors hover:bg-sunken pointer-coarse:h-11"
        >
          <Avatar name={displayName === '' ? (user?.email ?? '') : displayName} />
          <span className="max-w-40 min-w-0 truncate max-[54rem]:sr-only">{name}</span>
          {invitations > 0 && <InvitationCount count={invitations} />}
          <ChevronDown size={15} aria-hidden className="shrink-0 text-ink3 max-[54rem]:hidden" />
        </button>
      }
    >
      <MenuLabel>
        <span className="block max-w-64 truncate text-label text-ink">{name}</span>
        <span className="block max-w-64 truncate">{user?.email}</span>
      </MenuLabel>
      <MenuSeparator />
      {own
        .filter(({ adminOnly }) => adminOnly !== true)
        .map((section) => sectionLink(section, section.id === 'invitations' ? invitations : 0))}
      <MenuLink icon={<Settings size={15} aria-hidden />} render={<Link to={sectionOf('profile').link} />}>
        {terms.settings}
      </MenuLink>
      {own.filter(({ adminOnly }) => adminOnly === true).map((section) => sectionLink(section))}
      <ThemeMenu />
      <MenuSeparator />
      <MenuItem icon={<LogOut size={15} aria-hidden />} onSelect={logOut}>
        {shellCopy.logOut}
      </MenuItem>
    </Menu>
  );
}

function sectionLink({ id, label, link, icon: Icon }: Section, count = 0) {
  return (
    <MenuLink key={id} icon={<Icon size={15} aria-hidden />} render={<Link to={link} />}>
      {label()}
      {count > 0 && <InvitationCount count={count} />}
    </MenuLink>
  );
}

/** The number of invitations that wait for the user. */
function InvitationCount({ count }: { count: number }) {
  return (
    <span className="ms-1 inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-warn-wash px-1.5 text-small text-warn">
      <span aria-hidden className="tabular">
        {count}
      </span>
      <span className="sr-only">{shellCopy.account.invitations(count)}</span>
    </span>
  );
}
