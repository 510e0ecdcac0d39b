import type { Output } from '@corral/contract';
import type { RegisteredRouter } from '@tanstack/react-router';
import {
  Activity,
  Bell,
  BookOpen,
  CircleQuestionMark,
  Boxes,
  Cpu,
  FileBox,
  FolderKanban,
  Gauge,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Mail,
  MonitorSmartphone,
  Package,
  ScrollText,
  Send,
  Server,
  Settings,
  Shield,
  ShieldCheck,
  SquareTerminal,
  Timer,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import { terms } from '../copy/terms.ts';
import { sectionKeywords } from './section-keywords.ts';

/**
 * What a section belongs to: `main` is the header, `user` the account menu, `account` the user's settings, `admin` the area of the
 * administrators; `project` and `repository` are the sidebars of one of them.
 */
export type SectionScope = 'main' | 'user' | 'help' | 'account' | 'admin' | 'project' | 'repository';

/** The name of a section in this registry. */
export type SectionId = keyof typeof terms.sections;

type WithoutSlash<Path> = Path extends `${infer Start}/` ? Start : Path;
type RoutePath = WithoutSlash<keyof RegisteredRouter['routesByPath']>;
type NumberIn<Of> = Of extends unknown
  ? { [Name in keyof Of]: Of[Name] extends number | undefined ? Name : never }[keyof Of]
  : never;
interface Details {
  readonly project: Required<Output<'projects_GetProjectDetails'>>;
  readonly repository: Required<Output<'repositories_GetRepositoryDetails'>>;
}

/** One section of the console. Header, sidebars, palette, shortcuts, page titles and breadcrumbs, and the browser tests follow from it. */
export interface Section {
  readonly id: SectionId;
  readonly scope: SectionScope;
  /** Its name, in the current language. */
  readonly label: () => string;
  /** Further words by which the palette finds it. */
  readonly keywords: () => string;
  readonly icon: LucideIcon;
  /** The path of its route, with parameters such as `$projectId`. */
  readonly link: string;
  /** The letter that opens it after `g`. */
  readonly key?: string | undefined;
  /** The number beside it in the sidebar, as a field of the details of its project or repository. */
  readonly count?: NumberIn<Details[keyof Details]> | undefined;
  /** The label of what can be created in it; its page opens the dialog at the hash `#create`. */
  readonly create?: (() => string) | undefined;
  readonly adminOnly?: boolean | undefined;
  /** Not for those who may only read the repository. */
  readonly memberOnly?: boolean | undefined;
  /** In a group of its own at the end of the sidebar. */
  readonly isSettings?: boolean | undefined;
  /** Not in the navigation: reached by its address, the palette and links. */
  readonly isUnlisted?: boolean | undefined;
}

type Options = Omit<Section, 'id' | 'scope' | 'label' | 'keywords' | 'icon' | 'link'>;

function section(
  scope: SectionScope,
  id: SectionId,
  icon: LucideIcon,
  link: RoutePath,
  options: Options = {},
): Section {
  const label = () => terms.sections[id];
  return { id, scope, label, keywords: () => sectionKeywords[id], icon, link, ...options };
}

const ofProject = '/projects/$projectId';
const ofRepository = '/repositories/$repositoryId';

/** The sections of the console, in the order in which they are shown. */
export const sections: readonly Section[] = [
  section('main', 'projects', FolderKanban, '/projects', { key: 'p', create: () => terms.create.projects }),
  section('main', 'repositories', Package, '/repositories', {
    key: 'r',
    create: () => terms.create.repositories,
  }),
  section('user', 'invitations', Mail, '/user/invitations'),
  section('account', 'profile', UserRound, '/settings/profile'),
  section('account', 'security', ShieldCheck, '/settings/security'),
  section('account', 'sessions', MonitorSmartphone, '/settings/sessions'),
  section('help', 'help', CircleQuestionMark, '/help'),
  section('help', 'documentation', BookOpen, '/docs', { isUnlisted: true }),
  section('help', 'deviceLogin', SquareTerminal, '/login/device', { isUnlisted: true }),
  section('user', 'administration', Shield, '/admin', { key: 'a', adminOnly: true }),
  section('admin', 'dashboard', Gauge, '/admin/dashboard', { adminOnly: true }),
  section('admin', 'users', Users, '/admin/users', {
    adminOnly: true,
    create: () => terms.create.users,
  }),
  section('admin', 'instanceAlerts', Bell, '/admin/alerts', { adminOnly: true }),
  section('admin', 'instanceLog', ScrollText, '/admin/log', { adminOnly: true }),
  section('admin', 'auditActions', ListChecks, '/admin/actions', { adminOnly: true }),
  section('admin', 'cluster', Server, '/admin/cluster', { adminOnly: true }),
  section('admin', 'jobs', Timer, '/admin/jobs', { adminOnly: true, isUnlisted: true }),
  section('admin', 'instanceSettings', Settings, '/admin/settings', { adminOnly: true }),
  section('project', 'projectOverview', LayoutDashboard, `${ofProject}/overview`),
  section('project', 'devices', Cpu, `${ofProject}/devices`, {
    count: 'deviceCount',
    create: () => terms.create.devices,
  }),
  section('project', 'operations', ListChecks, `${ofProject}/operations`, {
    count: 'openOperationCount',
    create: () => terms.create.operations,
  }),
  section('project', 'terminals', SquareTerminal, `${ofProject}/terminals`),
  section('project', 'alerts', Bell, `${ofProject}/alerts`, { create: () => terms.create.alerts }),
  section('project', 'tokens', KeyRound, `${ofProject}/tokens`, {
    count: 'deploymentTokenCount',
    create: () => terms.create.tokens,
  }),
  section('project', 'projectRepositories', Package, `${ofProject}/repositories`, {
    count: 'repositoryCount',
  }),
  section('project', 'projectMembers', Users, `${ofProject}/members`, {
    count: 'memberCount',
    create: () => terms.create.members,
  }),
  section('project', 'events', Activity, `${ofProject}/events`),
  section('project', 'log', ScrollText, `${ofProject}/log`),
  section('project', 'webhooks', Webhook, `${ofProject}/webhooks`, {
    create: () => terms.create.webhooks,
    isUnlisted: true,
  }),
  section('project', 'otlp', Send, `${ofProject}/otlp`, { isUnlisted: true }),
  section('project', 'projectSettings', Settings, `${ofProject}/settings`, { isSettings: true }),
  section('repository', 'packages', Boxes, `${ofRepository}/packages`, { count: 'packageCount' }),
  section('repository', 'assets', FileBox, `${ofRepository}/assets`, { count: 'assetCount' }),
  section('repository', 'repositoryMembers', Users, `${ofRepository}/members`, {
    create: () => terms.create.members,
    memberOnly: true,
  }),
  section('repository', 'repositoryLog', ScrollText, `${ofRepository}/log`, { memberOnly: true }),
  section('repository', 'repositorySettings', Settings, `${ofRepository}/settings`, { isSettings: true }),
];
