import { Ellipsis, Mail, MailX } from 'lucide-react';
import { cloneElement, useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import type { AlertPlace, AlertRule } from '../../../parts/alerts/alerts.ts';
import { MuteDialog } from '../../../parts/alerts/MuteDialog.tsx';
import { orToast } from '../../../parts/or-toast.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { useWriteBlock } from '../../../ui/action/write-block.ts';
import { Menu } from '../../../ui/overlay/Menu.tsx';
import { MenuItem } from '../../../ui/overlay/MenuItem.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { setRuleMails } from '../alert-mutations.ts';
import { ruleActions } from '../rule-columns.tsx';
import { ruleCopy as words } from './copy.ts';

/** What else can be done with a rule: switch it off, mute it, stop its e-mails to oneself, delete it. */
export function RuleMenu({
  place,
  rule,
  canChange,
  onDelete,
  onDeleted,
}: {
  place: AlertPlace;
  rule: AlertRule;
  canChange: boolean;
  onDelete: () => void;
  onDeleted: () => Promise<void>;
}) {
  const run = useRun();
  const blocked = useWriteBlock();
  const [isMuting, setIsMuting] = useState(false);
  const { ruleId, name, isUnsubscribed, channels } = rule;
  const actions = ruleActions(rule, {
    run,
    canChange,
    mute: () => setIsMuting(true),
    onDelete,
    onDeleted,
  });
  const setMails = () =>
    void orToast(
      words.mailsFailed,
      run(setRuleMails, { ruleId, isOn: isUnsubscribed }).then(() =>
        showToast(isUnsubscribed ? words.mailsResumed : words.mailsStopped, { tone: 'ok' }),
      ),
    );
  return (
    <>
      <Menu
        label={words.more}
        trigger={<Button variant="quiet" label={words.more} icon={<Ellipsis size={18} aria-hidden />} />}
      >
        {channels.mails !== 'None' && (
          <MenuItem
            icon={isUnsubscribed ? <Mail size={15} aria-hidden /> : <MailX size={15} aria-hidden />}
            disabledReason={blocked}
            onSelect={setMails}
          >
            {isUnsubscribed ? words.mailsOn : words.mailsOff}
          </MenuItem>
        )}
        {actions.map(({ label, icon, tone, disabledReason, onSelect }) => (
          <MenuItem
            key={label}
            icon={icon && cloneElement(icon, { size: 15 })}
            disabledReason={disabledReason ?? blocked}
            {...{ tone, onSelect }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
      <MuteDialog
        {...{ place }}
        target={{ ruleId, ruleName: name }}
        open={isMuting}
        onOpenChange={setIsMuting}
      />
    </>
  );
}
