import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { degrees } from '../../../lib/format.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { Heater } from '../../../printer/status.ts'
import { useWords } from '../../../printer/words.ts'
import { applyProfile, type Profile } from './heaters.ts'
import styles from './Temperatures.module.css'

interface ProfilesDialogProps {
  heaters: Heater[]
  profiles: Profile[]
  printing: boolean
  /** Null, or why it was not done. */
  onSet: (wanted: { key: string; target: number }[]) => Promise<string | null>
  onClose: () => void
}

/** One preset for all heaters at once. */
export function ProfilesDialog({ heaters, profiles, printing, onSet, onClose }: ProfilesDialogProps) {
  const { t } = useTranslation(['temperatures', 'common'])
  const words = useWords()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)

  async function apply(profile: Profile | 'off') {
    setBusy(true)
    const words = await onSet(applyProfile(profile, heaters))
    setBusy(false)
    setRefused(words)
    if (words === null) onClose()
  }

  function summary(profile: Profile) {
    const parts = applyProfile(profile, heaters).map(({ key, target }) => {
      const heater = heaters.find((each) => each.key === key)
      return `${heater ? words.heater(heater) : key} ${degrees(target, 0)}`
    })
    return parts.join(' · ')
  }

  return (
    <Dialog onClose={onClose} title={t('profiles.title')}>
      <p className={styles.hint}>{profiles.length > 0 ? t('profiles.hint') : t('profiles.none')}</p>
      {printing && <p className={styles.caution}>{t('profiles.printing')}</p>}
      {refused && (
        <p role="alert" className={styles.refused}>
          {refused}
        </p>
      )}
      <div className={styles.profiles}>
        {profiles.map((profile, at) => {
          const sets = summary(profile)
          return (
            <button
              key={`${at} ${profile.name}`}
              type="button"
              className={styles.profile}
              disabled={busy || !sets}
              onClick={() => void apply(profile)}
            >
              <bdi>{profile.name}</bdi>
              <small>{sets || t('profiles.nothing')}</small>
            </button>
          )
        })}
        <button type="button" className={styles.profile} disabled={busy} onClick={() => void apply('off')}>
          <span>{t('profiles.off')}</span>
          <small>{t('profiles.allOff')}</small>
        </button>
      </div>
    </Dialog>
  )
}
