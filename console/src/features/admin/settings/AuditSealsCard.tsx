import { useRun } from '../../../data/action-mutation.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { messageOf } from '../../../ui/form/message-of.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { Meter } from '../../../ui/picture/Meter.tsx';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { settingsCopy } from './copy.ts';
import { isChecking, type AuditSealState, auditSealsQuery, verifyAuditLog } from './settings.ts';

const words = settingsCopy.auditSeals;

/** The seals of the audit log, and their check with its progress and result. */
export function AuditSealsCard() {
  const state = useLoadedQuery(auditSealsQuery()).data;
  const { seals, sealedAt, publicKey, check } = state;
  const run = useRun();
  const verify = () =>
    run(verifyAuditLog, {}).catch((error: unknown) =>
      showToast(words.notStarted, { tone: 'danger', text: messageOf(error) }),
    );
  return (
    <Card title={words.title} isFlush>
      <Properties
        items={[
          { name: words.sealed, value: seals === 0 ? words.none : words.seals(seals) },
          { name: words.last, value: sealedAt && <RelativeTime at={sealedAt} /> },
          { name: words.publicKey, value: publicKey && <PublicKey text={publicKey} /> },
          { name: words.check, value: check === undefined ? words.never : <Check check={check} /> },
        ]}
      />
      <div className="border-t border-line p-4.5">
        <Button isWrite loading={isChecking(state)} onClick={verify}>
          {words.verify}
        </Button>
      </div>
    </Card>
  );
}

function PublicKey({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <CodeBlock code={text} what={words.publicKey} />
      <p className="text-small text-ink3">{words.publicKeyText}</p>
    </div>
  );
}

function Check({ check }: { check: NonNullable<AuditSealState['check']> }) {
  const { seals, checkedSeals, finishedAt, isIntact = false, sentence } = check;
  if (finishedAt === undefined) {
    const text = words.progress(checkedSeals, seals);
    return (
      <div role="status" className="flex flex-col gap-1.5">
        <span className="tabular">{text}</span>
        <Meter label={words.check} value={checkedSeals} max={seals} text={text} isProgress />
      </div>
    );
  }
  return (
    <div role="status" className="flex flex-col gap-1.5">
      <Notice tone={isIntact ? 'info' : 'danger'} title={isIntact ? words.isIntact : words.isNotIntact}>
        {sentence}
      </Notice>
      <RelativeTime at={finishedAt} />
    </div>
  );
}
