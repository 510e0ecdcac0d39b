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
import { paletteCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import type { PaletteEntry } from './palette-entry.ts';

const { words } = paletteCopy;
const iconProps = { size: 16, 'aria-hidden': true } as const;

/** The pages of one project. */
export function projectPages(projectId: string): PaletteEntry[] {
  const page = (path: string, label: string, icon: ReactNode, found: string): PaletteEntry => ({
    id: `page ${projectId} ${path}`,
    label,
    icon,
    words: found,
    target: { path: `/projects/${projectId}/${path}` },
  });
  const names = terms.sections;
  return [
    page('devices', names.devices, <Cpu {...iconProps} />, words.devices),
    page('tokens', names.tokens, <KeyRound {...iconProps} />, words.tokens),
    page('log', names.log, <ScrollText {...iconProps} />, words.log),
    page('settings', names.settings, <Settings {...iconProps} />, words.projectSettings),
  ];
}

/** The pages outside of projects; the administration only for administrators. */
export function pageEntries(isAdmin: boolean): PaletteEntry[] {
  const page = (path: string, label: string, icon: ReactNode, found: string): PaletteEntry => ({
    id: `page ${path}`,
    label,
    icon,
    words: found,
    target: { path },
  });
  const own = terms.sections;
  return [
    page('/projects', terms.sections.projects, <FolderKanban {...iconProps} />, words.projects),
    page('/repositories', terms.sections.repositories, <Package {...iconProps} />, words.repositories),
    page('/user/invitations', terms.sections.invitations, <Mail {...iconProps} />, words.invitations),
    page('/settings/profile', own.profile, <UserRound {...iconProps} />, words.profile),
    page('/settings/security', own.security, <ShieldCheck {...iconProps} />, words.security),
    page('/settings/sessions', own.sessions, <MonitorSmartphone {...iconProps} />, words.sessions),
    page('/help', terms.sections.help, <CircleQuestionMark {...iconProps} />, words.help),
    ...(isAdmin
      ? [page('/admin', terms.sections.administration, <Shield {...iconProps} />, words.admin)]
      : []),
  ];
}
