import { NativeSelect } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../lib/translation.ts'
import { type Given, pageAddress } from '../lib/reach.ts'
import styles from './AddressNote.module.css'

/** Says that this page's address leads nowhere from elsewhere, and lets another one be given; nothing where it does. */
export function AddressNote({ given }: { given: Given }) {
  const { t } = useTranslation('common')
  const { short, further, address, choose, onlyHere } = given
  if (!short) return null
  const host = new URL(pageAddress).host
  const way = further.length > 0 ? 'instead' : onlyHere ? 'onlyHere' : 'unknown'
  return (
    <div className={styles.note} data-soft={short === 'network' || undefined} role="note">
      <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
      <div>
        <p>
          {t(`reach.${short}`, { host })}{' '}
          {t(`reach.${short === 'network' && way !== 'instead' ? 'public' : way}`)}
        </p>
        {further.length > 0 && (
          <NativeSelect
            label={t('reach.address')}
            value={address}
            data={[
              ...further,
              { value: pageAddress, label: t(`reach.own.${short}`, { address: pageAddress }) },
            ]}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )}
      </div>
    </div>
  )
}
