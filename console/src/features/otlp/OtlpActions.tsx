import type { Id } from '@corral/contract';
import { Ban, Ellipsis, Pencil, Play, Send } from 'lucide-react';
import { useRun } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { orToast } from '../../parts/or-toast.ts';
import { PageActionButton } from '../../parts/PageActionButton.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { Menu } from '../../ui/overlay/Menu.tsx';
import { MenuItem } from '../../ui/overlay/MenuItem.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { otlpCopy as words } from './copy.ts';
import { type OtlpConfig, sendTestEvent, setOtlpConfig } from './otlp.ts';

/** What can be done with an export: the test, and a menu for the rest. */
export function OtlpActions({
  projectId,
  config,
  onEdit,
}: {
  projectId: Id<'project'>;
  config: OtlpConfig;
  onEdit: () => void;
}) {
  const run = useRun();
  const set = (enabled: boolean) => run(setOtlpConfig, { projectId, config: { ...config, enabled } });
  const test = async () => {
    const { isAccepted, message } = await run(sendTestEvent, { projectId });
    showToast(
      isAccepted ? message : words.testFailed,
      isAccepted ? { tone: 'ok' } : { tone: 'danger', text: message },
    );
  };
  const stop = () =>
    void confirm({
      title: words.stopTitle,
      text: words.stopText,
      verb: words.stop,
      action: () => set(false),
      done: words.stopped,
    });
  return (
    <>
      <PageActionButton
        variant="outlined"
        isWrite
        icon={<Send size={15} aria-hidden />}
        onClick={() => orToast(words.testFailed, test())}
      >
        {words.test}
      </PageActionButton>
      <Menu
        label={words.more}
        trigger={<Button variant="quiet" label={words.more} icon={<Ellipsis size={18} aria-hidden />} />}
      >
        <MenuItem icon={<Pencil size={15} aria-hidden />} onSelect={onEdit}>
          {words.edit}
        </MenuItem>
        {config.enabled ? (
          <MenuItem tone="danger" icon={<Ban size={15} aria-hidden />} onSelect={stop}>
            {words.stop}
          </MenuItem>
        ) : (
          <MenuItem
            icon={<Play size={15} aria-hidden />}
            onSelect={() => orToast(words.notStarted, set(true))}
          >
            {words.start}
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
