import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { helpCopy } from './copy.ts';
import { documentTitles } from '../../parts/document-titles.ts';
import { configQuery } from '../../data/queries-account.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { AdminContact } from '../../parts/AdminContact.tsx';
import { agentFile } from '../../parts/agent-command.ts';
import { documentPath } from '../../parts/document-path.ts';
import { ShortcutList } from '../../parts/ShortcutList.tsx';
import { firstCommands } from './first-commands.ts';
import { agentFetchCommand, cliFile, cliInstallCommands } from '../../parts/install-commands.ts';

const documents = () =>
  [
    ['', helpCopy.documents.start],
    ['agent', helpCopy.documents.agent],
    ['cli', helpCopy.documents.commandLine],
    ['software-repositories', helpCopy.documents.repositories],
    ['configuration', helpCopy.documents.configuration],
    ['operations', helpCopy.documents.operations],
    ['http-proxy', helpCopy.documents.pages],
    ['security', helpCopy.documents.security],
  ] as const;

/** The help page: keyboard shortcuts, how to install command line and agent, the documentation, and the administrator's contact. */
export function HelpPage() {
  const { data: config } = useQuery(configQuery);
  return (
    <Page>
      <SectionHeader
        meta={
          config?.version === undefined
            ? helpCopy.text
            : `${helpCopy.text} ${helpCopy.version(config.version)}`
        }
      />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <CommandLine />
          <Device />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Section id="keyboard" title={helpCopy.shortcuts.title}>
            <ShortcutList />
            <p>
              {helpCopy.shortcuts.on}{' '}
              <TextLink render={<Link to="/settings/profile" />}>{helpCopy.shortcuts.profile}</TextLink>
            </p>
          </Section>
          <Documents />
          {config?.adminContact !== undefined && (
            <Section id="people" title={helpCopy.contact.title}>
              <AdminContact before={helpCopy.contact.ask} />
            </Section>
          )}
        </div>
      </div>
    </Page>
  );
}

function CommandLine() {
  const words = helpCopy.cli;
  return (
    <Section id="command-line" title={words.title}>
      <p>{words.text}</p>
      <CodeBlock code={cliInstallCommands(window.location.origin)} what={words.command} />
      <p>
        {words.tokenText} <TextLink render={<Link to="/settings/security" />}>{words.token}</TextLink>
      </p>
      <p>{words.first}</p>
      <ul className="flex flex-col gap-3">
        {firstCommands().map(({ does, code }) => (
          <li key={code} className="flex min-w-0 flex-col gap-1.5">
            <span>{does}</span>
            <CodeBlock code={code} what={words.what(does)} prompt="$" />
          </li>
        ))}
      </ul>
      <p>
        <TextLink render={<a href={cliFile} download />}>{words.download}</TextLink>
      </p>
    </Section>
  );
}

function Device() {
  const words = helpCopy.device;
  return (
    <Section id="device" title={words.title}>
      <p>{words.text}</p>
      <CodeBlock code={agentFetchCommand(window.location.origin)} what={words.command} prompt="$" />
      <p>
        {words.next} <TextLink render={<Link to="/projects" />}>{words.projects}</TextLink>
      </p>
      <p>
        <TextLink render={<a href={agentFile} download />}>{words.download}</TextLink>
      </p>
    </Section>
  );
}

function Documents() {
  const words = helpCopy.documents;
  return (
    <Section id="documentation" title={words.title}>
      <p>{words.text}</p>
      <dl className="flex flex-col gap-2">
        {documents().map(([slug, about]) => (
          <div key={slug} className="flex flex-wrap gap-x-3">
            <dt>
              <TextLink render={<Link to={documentPath(slug)} />}>{documentTitles[slug]}</TextLink>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <p>
        {words.api} <TextLink render={<a href="/api/openapi.json" />}>/api/openapi.json</TextLink>
      </p>
      <p>
        <TextLink render={<a href="/licences.txt" />}>{words.licences}</TextLink>
      </p>
    </Section>
  );
}

/** A section of the page with an anchor. */
function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div id={id} className="min-w-0 scroll-mt-20">
      <Card title={title}>
        <div className="flex max-w-[72ch] flex-col gap-4 text-body text-ink2">{children}</div>
      </Card>
    </div>
  );
}
