import type { Output } from '@corral/contract';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { messageOf } from '../../../ui/form/message-of.ts';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { settingsCopy as words } from './copy.ts';
import { sendTestMail, setSetting, type SettingDetails } from './settings.ts';

type Outcome = Output<'instance_SendTestMail'>;

/** Sends an e-mail with the saved settings and shows the result; removes the mail server. */
export function MailTest({ settings }: { settings: readonly SettingDetails[] }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const run = useRun();
  async function send(): Promise<void> {
    setOutcome(
      await run(sendTestMail, {}).catch((error: unknown) => ({ isSent: false, message: messageOf(error) })),
    );
  }
  function removeServer(): void {
    void confirm({
      title: words.removeServer,
      text: words.removeServerText,
      verb: words.removeServer,
      action: () => run(setSetting, { key: 'smtpUrl', value: null }),
      done: words.serverRemoved,
    });
  }
  const server = settings.find(({ key }) => key === 'smtpUrl');
  const mayRemove = server?.isSet === true && server.configuredBy === undefined;
  return (
    <>
      <Button isWrite onClick={send}>
        {words.test}
      </Button>
      {mayRemove && (
        <Button isWrite onClick={removeServer}>
          {words.removeServer}
        </Button>
      )}
      {outcome !== undefined && (
        <div role="status" className="basis-full">
          <Notice tone={outcome.isSent ? 'info' : 'warn'} title={outcome.isSent ? words.sent : words.notSent}>
            {outcome.message}
          </Notice>
        </div>
      )}
    </>
  );
}
