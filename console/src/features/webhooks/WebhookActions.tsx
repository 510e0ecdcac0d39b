import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Ellipsis, KeyRound, Pencil, Play, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { orToast } from '../../parts/or-toast.ts';
import { PageActionButton } from '../../parts/PageActionButton.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { Menu } from '../../ui/overlay/Menu.tsx';
import { MenuItem } from '../../ui/overlay/MenuItem.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { formatDateTime, toMs } from '../../ui/time/format-time.ts';
import { webhooksCopy as words } from './copy.ts';
import { webhookFields, webhookSchema } from './webhook-form.ts';
import { changeWebhook, deleteWebhook, rotateSecret, testWebhook } from './webhook-mutations.ts';
import { WebhookSecretDialog } from './WebhookSecretDialog.tsx';
import type { Webhook } from './webhooks.ts';

/** What can be done with a webhook: the test, and a menu for the rest. */
export function WebhookActions({ projectId, webhook }: { projectId: Id<'project'>; webhook: Webhook }) {
  const { webhookId, disabled, format } = webhook;
  const [isEditing, setIsEditing] = useState(false);
  const [rotated, setRotated] = useState<{ secret: string; formerSecretUntil: string }>();
  const run = useRun();
  const does = useActions(projectId, webhook, setRotated);
  return (
    <>
      <PageActionButton
        variant="outlined"
        isWrite
        disabledReason={disabled === undefined ? undefined : words.why[disabled]}
        icon={<Send size={15} aria-hidden />}
        onClick={does.test}
      >
        {words.sendTest}
      </PageActionButton>
      <Menu
        label={words.more}
        trigger={<Button variant="quiet" label={words.more} icon={<Ellipsis size={18} aria-hidden />} />}
      >
        <MenuItem icon={<Pencil size={15} aria-hidden />} onSelect={() => setIsEditing(true)}>
          {words.edit}
        </MenuItem>
        {format === 'Standard' && (
          <MenuItem icon={<KeyRound size={15} aria-hidden />} onSelect={does.rotate}>
            {words.rotate}
          </MenuItem>
        )}
        {disabled === undefined ? (
          <MenuItem icon={<Ban size={15} aria-hidden />} onSelect={does.stop}>
            {words.stop}
          </MenuItem>
        ) : (
          <MenuItem icon={<Play size={15} aria-hidden />} onSelect={does.resume}>
            {words.resume}
          </MenuItem>
        )}
        <MenuItem tone="danger" icon={<Trash2 size={15} aria-hidden />} onSelect={does.remove}>
          {words.remove}
        </MenuItem>
      </Menu>
      <FieldsDialog
        open={isEditing}
        onOpenChange={setIsEditing}
        title={words.edit}
        submitLabel={words.save}
        fields={webhookFields(webhook)}
        schema={webhookSchema}
        onSubmit={async (given) => {
          await run(changeWebhook, { webhookId, ...given });
          showToast(words.changed, { tone: 'ok' });
        }}
      />
      <WebhookSecretDialog
        secret={rotated?.secret}
        title={words.secret.rotated}
        text={rotated && words.secret.former(formatDateTime(toMs(rotated.formerSecretUntil)))}
        onStored={() => setRotated(undefined)}
      />
    </>
  );
}

/** The commands of the page, each with what is said after it. */
function useActions(
  projectId: Id<'project'>,
  { webhookId, name, url }: Webhook,
  onRotated: (rotated: { secret: string; formerSecretUntil: string }) => void,
) {
  const run = useRun();
  const navigate = useNavigate();
  const say = (text: string) => () => showToast(text, { tone: 'ok' });
  return {
    test: () =>
      orToast(words.testFailed, run(testWebhook, { webhookId }).then(say(words.testSent(new URL(url).host)))),
    resume: () =>
      orToast(
        words.notResumed,
        run(changeWebhook, { webhookId, isDisabled: false }).then(say(words.resumed(name))),
      ),
    rotate: () =>
      void confirm({
        title: words.rotateTitle(name),
        text: words.rotateText,
        verb: words.rotate,
        tone: 'primary',
        action: async () => onRotated(await run(rotateSecret, { webhookId })),
      }),
    stop: () =>
      void confirm({
        title: words.stopTitle(name),
        text: words.stopText,
        verb: words.stop,
        action: () => run(changeWebhook, { webhookId, isDisabled: true }),
        done: words.stopped(name),
      }),
    remove: () =>
      void confirm({
        title: words.removeTitle(name),
        text: words.removeText,
        verb: words.remove,
        action: async () => {
          await run(deleteWebhook, { webhookId });
          await navigate({ to: '/projects/$projectId/webhooks', params: { projectId } });
        },
        done: words.removed(name),
      }),
  };
}
