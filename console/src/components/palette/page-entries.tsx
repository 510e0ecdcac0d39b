import {
  CircleQuestionMark,
  Cpu,
  FolderKanban,
  KeyRound,
  Mail,
  MonitorSmartphone,
  Package,
  ScrollText,
  Settings,
  Shield,
  ShieldCheck,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { enAccount } from '../../copy/en-account.ts';
import { enPalette } from '../../copy/en-palette.ts';
import { en } from '../../copy/en.ts';
import type { PaletteEntry } from './palette-entry.ts';

const { words } = enPalette;
const look = { size: 16, 'aria-hidden': true } as const;

/** The pages of one project. */
export function projectPages(projectId: string): PaletteEntry[] {
  const page = (path: string, label: string, icon: ReactNode, found: string): PaletteEntry => ({
    id: `page ${projectId} ${path}`,
    label,
    icon,
    words: found,
    target: { path: `/projects/${projectId}/${path}` },
  });
  const names = enAccount.project;
  return [
    page('devices', names.devices, <Cpu {...look} />, words.devices),
    page('tokens', names.tokens, <KeyRound {...look} />, words.tokens),
    page('log', names.log, <ScrollText {...look} />, words.log),
    page('settings', names.settings, <Settings {...look} />, words.projectSettings),
  ];
}

/** The pages beyond projects; those of administrators for them alone. */
export function pageEntries(isAdmin: boolean): PaletteEntry[] {
  const place = (path: string, label: string, icon: ReactNode, found: string): PaletteEntry => ({
    id: `place ${path}`,
    label,
    icon,
    words: found,
    target: { path },
  });
  const own = enAccount.settings;
  return [
    place('/projects', en.shell.projects, <FolderKanban {...look} />, words.projects),
    place('/repositories', en.shell.repositories, <Package {...look} />, words.repositories),
    place('/user/invitations', en.shell.invitations, <Mail {...look} />, words.invitations),
    place('/settings/profile', own.profile, <UserRound {...look} />, words.profile),
    place('/settings/security', own.security, <ShieldCheck {...look} />, words.security),
    place('/settings/sessions', own.sessions, <MonitorSmartphone {...look} />, words.sessions),
    place('/help', en.shell.help, <CircleQuestionMark {...look} />, words.help),
    ...(isAdmin ? [place('/admin', en.shell.administration, <Shield {...look} />, words.admin)] : []),
  ];
}
