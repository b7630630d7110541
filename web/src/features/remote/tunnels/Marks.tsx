import { IconArrowsExchange, IconPrinter, IconPuzzle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Brand } from '../../../ui/Brand.tsx'
import { markOf, type Platform } from './apps.ts'
import styles from './Ask.module.css'

/** Who asks, for what, through whom. */
export function Marks({ app, platform }: { app: string; platform: Platform }) {
  const { t } = useTranslation('tunnels')
  const mark = markOf(app)
  return (
    <div className={styles.marks} aria-hidden>
      <span className={styles.mark}>{mark ?? <IconPuzzle size={24} stroke={1.5} />}</span>
      <IconArrowsExchange size={18} stroke={1.5} />
      <span className={styles.brand}>
        <Brand size={24} />
      </span>
      <IconArrowsExchange size={18} stroke={1.5} />
      <span className={styles.mark} title={t(`platform.${platform}`)}>
        <IconPrinter size={24} stroke={1.5} />
      </span>
    </div>
  )
}
