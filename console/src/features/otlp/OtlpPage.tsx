import type { Id } from '@corral/contract';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { EmptyState } from '../../ui/layout/EmptyState.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { collectorExample } from './collector-example.ts';
import { otlpCopy as words } from './copy.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { OtlpActions } from './OtlpActions.tsx';
import { OtlpBadge } from './OtlpBadge.tsx';
import { type OtlpConfig, otlpConfigQuery, otlpStatusQuery } from './otlp.ts';
import { StreamCard } from './StreamCard.tsx';

/** The export of a project over OTLP: where it goes and how its streams stand, or how to set it up. */
export function OtlpPage({ projectId }: { projectId: Id<'project'> }) {
  const { config } = useLoadedQuery(otlpConfigQuery(projectId)).data;
  const { streams } = useLoadedQuery(otlpStatusQuery(projectId)).data;
  const [isEditing, setIsEditing] = useState(false);
  const isSet = config.endpoint !== undefined;
  const failing = streams.find(({ nextAttemptAt }) => nextAttemptAt !== undefined);
  return (
    <Page>
      <SectionHeader
        badges={isSet ? <OtlpBadge {...{ config, streams }} /> : undefined}
        actions={
          isSet ? <OtlpActions {...{ projectId, config }} onEdit={() => setIsEditing(true)} /> : undefined
        }
      />
      <div className="flex flex-col gap-5">
        {failing !== undefined && (
          <Notice tone="warn" title={words.failing}>
            {failing.lastError}
          </Notice>
        )}
        {isSet ? <Facts {...{ config }} /> : <Nothing onSetUp={() => setIsEditing(true)} />}
        {streams.length > 0 && (
          <div className="grid gap-5 lg:grid-cols-2">
            {streams.map((stream) => (
              <StreamCard key={stream.stream} {...{ stream }} />
            ))}
          </div>
        )}
        <Card title={words.collector}>
          <p className="mb-3 text-body text-ink2">{words.collectorText}</p>
          <CodeBlock code={collectorExample} what={words.collectorWhat} />
        </Card>
      </div>
      <ExportDialog {...{ projectId, config }} open={isEditing} onOpenChange={setIsEditing} />
    </Page>
  );
}

function Nothing({ onSetUp }: { onSetUp: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={<Send size={20} aria-hidden />}
        title={words.emptyTitle}
        text={words.emptyText}
        action={
          <Button variant="primary" isWrite onClick={onSetUp}>
            {words.set}
          </Button>
        }
      />
    </Card>
  );
}

function Facts({ config: { endpoint, headers, streams = [], minSeverity, filter } }: { config: OtlpConfig }) {
  const names = Object.keys(headers);
  const code = (text: string) => (
    <span dir="ltr" className="font-mono text-mono wrap-anywhere">
      {text}
    </span>
  );
  return (
    <Card title={words.about} isFlush>
      <Properties
        items={[
          { name: words.endpoint, value: endpoint && code(endpoint) },
          { name: words.headers, value: names.length === 0 ? undefined : code(names.join(', ')) },
          { name: words.streams, value: streams.map((stream) => words.streamNames[stream]).join(', ') },
          { name: words.minSeverity, value: minSeverity },
          { name: words.filter, value: filter && code(filter) },
        ]}
      />
    </Card>
  );
}
