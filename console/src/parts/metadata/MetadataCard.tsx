import type { Json } from '@corral/contract';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/action/Button.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { metadataCopy as words } from './copy.ts';
import { EditValueDialog } from './EditValueDialog.tsx';
import { MetadataList } from './MetadataList.tsx';
import { type Metadata, useMetadataEditor } from './use-metadata-editor.ts';

/** Metadata by key, objects as formatted JSON; each value can be edited with `onChange`. Undefined while it is loaded. */
export function MetadataCard({
  metadata,
  error,
  onRetry,
  onChange,
}: {
  metadata: Metadata | undefined;
  error?: unknown;
  onRetry?: (() => void) | undefined;
  /** Gets all of the metadata with the change; undefined for those who may not change it. */
  onChange: ((metadata: Readonly<Record<string, Json>>) => unknown) | undefined;
}) {
  const { editing, edit } = useMetadataEditor(metadata ?? {}, onChange);
  return (
    <Card
      isFlush
      title={words.title}
      actions={metadata !== undefined && onChange !== undefined && <AddButton onClick={() => edit()} />}
    >
      <ErrorBoundary isFlush error={error} onRetry={onRetry}>
        <MetadataList
          metadata={metadata ?? {}}
          empty={metadata === undefined ? words.loading : words.empty}
          onEdit={onChange === undefined ? undefined : edit}
        />
      </ErrorBoundary>
      <EditValueDialog dialog={editing} />
    </Card>
  );
}

function AddButton({ onClick }: { onClick: () => void }): ReactNode {
  return (
    <Button
      size="small"
      variant="quiet"
      isWrite
      label={words.add}
      icon={<Plus size={15} aria-hidden />}
      onClick={onClick}
    />
  );
}
