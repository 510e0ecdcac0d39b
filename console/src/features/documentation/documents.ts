import { documentTitles } from '../../parts/document-titles.ts';
import type { documentationCopy } from './copy.ts';

const sources = import.meta.glob<string>(
  [
    '../../../../README.md',
    '../../../../SECURITY.md',
    '../../../../docs/*.md',
    '../../../../docs/{operations,coming-from}/*.md',
    // For developers of the product.
    '!../../../../docs/dependencies.md',
    '!../../../../docs/glossary.md',
  ],
  { query: '?raw', import: 'default' },
);
const attachments = import.meta.glob<string>(
  [
    '../../../../docs/operations/*',
    '../../../../docs/pictures/*',
    '!../../../../docs/operations/*.md',
    // Of the documentation site.
    '!../../../../docs/pictures/*-dark.png',
  ],
  { query: '?url', import: 'default', eager: true },
);

const root = '../../../../';
const paths = new Map(Object.keys(sources).map((path) => [slugOf(path.slice(root.length)), path]));

/** A group of documents in the list, with their slugs in the order of the list. */
export interface DocumentGroup {
  readonly name: keyof typeof documentationCopy.groups;
  readonly slugs: readonly DocumentSlug[];
}

/** The address of a document below /docs, such as "operations/backup"; empty for the first one. */
export type DocumentSlug = keyof typeof documentTitles;

const used: readonly DocumentSlug[] = [
  '',
  'tour',
  'agent',
  'agent-on-devices',
  'pairing',
  'device-commands',
  'cli',
  'certificates',
  'fleet',
  'acting-on-devices',
  'terminal',
  'filters',
  'expressions',
  'software-repositories',
  'webhooks',
  'alerts',
  'otlp',
  'http-proxy',
  'audit-log',
];

const isComparison = (slug: DocumentSlug): boolean => slug.startsWith('coming-from/');

/** All documents by group, in the order of their titles. */
export function documentGroups(): readonly DocumentGroup[] {
  const slugs = Object.keys(documentTitles) as DocumentSlug[];
  return [
    { name: 'use', slugs: slugs.filter((slug) => used.includes(slug)) },
    { name: 'operate', slugs: slugs.filter((slug) => !used.includes(slug) && !isComparison(slug)) },
    { name: 'comingFrom', slugs: slugs.filter(isComparison) },
  ];
}

/** The slugs of the documents that exist. */
export function documentSlugs(): readonly string[] {
  return [...paths.keys()];
}

/** A document as Markdown; undefined if there is none with this slug. */
export async function readDocument(slug: string): Promise<string | undefined> {
  const path = paths.get(slug);
  return path === undefined ? undefined : sources[path]?.();
}

/** Where a link of a document leads. */
export type LinkTarget =
  | { readonly kind: 'document'; readonly slug: string; readonly hash: string }
  | { readonly kind: 'file'; readonly url: string; readonly name: string }
  | { readonly kind: 'web'; readonly url: string };

/** Resolves a link or the source of a picture in the document with this slug; undefined for files that are only in the source repository. */
export function resolveLink(slug: string, target: string): LinkTarget | undefined {
  // Names under .example stand for others.
  if (/^https?:/u.test(target))
    return /\.example(?:[:/]|$)/u.test(target) ? undefined : { kind: 'web', url: target };
  // A page of the documentation site that is no file here.
  if (target.startsWith('/')) return { kind: 'document', slug: target.slice(1), hash: '' };
  if (target.startsWith('#')) return { kind: 'document', slug, hash: target.slice(1) };
  const base = new URL((paths.get(slug) ?? root).slice(root.length), 'file:///');
  const { pathname, hash } = new URL(target, base);
  const path = pathname.slice(1);
  const url = attachments[root + path];
  if (url !== undefined) return { kind: 'file', url, name: path.slice(path.lastIndexOf('/') + 1) };
  return sources[root + path] && { kind: 'document', slug: slugOf(path), hash: hash.slice(1) };
}

function slugOf(path: string): string {
  if (path === 'README.md') return '';
  const name = path.replace(/^docs\//u, '').replace(/\.md$/u, '');
  return name === 'SECURITY' ? 'security' : name.replace(/\/README$/u, '');
}
