import { messageOf } from '../ui/form/message-of.ts';
import { showToast } from '../ui/overlay/toast.ts';

/** What a button does at once: when it fails, a toast with the title `failed` says why. */
export async function orToast(failed: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    showToast(failed, { tone: 'danger', text: messageOf(error) });
  }
}
