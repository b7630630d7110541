import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../../../lib/clock.ts'
import { toast } from '../../../lib/toast.ts'
import type { Orientation } from '../../../ui/Snapshot.tsx'
import { float, pictureIn, savePicture } from '../../../video/index.ts'

/** Keeps what is seen in a place as a file, or has it float above other windows. */
export function useKeep(place: RefObject<HTMLElement | null>, name: string, turned: Orientation) {
  const { t } = useTranslation('video')
  const picture = () => pictureIn(place.current?.querySelector('[data-picture]') ?? null)
  const failed = () => toast(t('keepFailed'), 'failed')
  return {
    save() {
      const shown = picture()
      const moment = new Date(serverNow()).toISOString().slice(0, 19).replaceAll(':', '-')
      if (shown) void savePicture(shown, turned, t('file', { name, moment })).catch(failed)
      else failed()
    },
    float() {
      const shown = picture()
      if (shown) void float(shown).catch(failed)
    },
  }
}
