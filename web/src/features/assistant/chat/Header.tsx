import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import {
  IconArrowsDiagonal,
  IconArrowsDiagonalMinimize2,
  IconDots,
  IconHelpCircle,
  IconX,
} from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import styles from './Chat.module.css'
import { display, type View } from './panel.ts'
import { creditsLeft } from './query.ts'
import { useChat } from './useChat.ts'

/** A part of the month's credits below which it is warned. */
const FEW = 1 / 3

/** What is left of the month's credits; nothing where there is no end to them. */
export function Credits() {
  const { t } = useTranslation('assistant')
  const [, { me }] = useChat('me')
  const left = me ? creditsLeft(me) : Infinity
  if (left === Infinity) return null
  const all = me?.ai_credits?.ai_credit_free_monthly_quota ?? 0
  const tone = left === 0 ? 'bad' : left / all < FEW ? 'warn' : 'plain'
  return (
    <span className={styles.credits} data-tone={tone} title={t('credits', { left, all })}>
      {t('creditsShort', { left })}
    </span>
  )
}

const ICONS = { large: IconArrowsDiagonal, small: IconArrowsDiagonalMinimize2 }
const VIEWS: readonly View[] = ['large', 'small']

/** Who speaks here, what is left, and how the slicer shows the page. */
export function Header() {
  const { t } = useTranslation('assistant')
  const [chat] = useChat()
  return (
    <header className={styles.header}>
      <h1>{t('title')}</h1>
      <Credits />
      <span className={styles.spring} />
      <More />
      {VIEWS.map((view) => {
        const Icon = ICONS[view]
        return (
          <ActionIcon
            key={view}
            aria-label={t(view)}
            title={t(view)}
            onClick={() => void display(chat, { view_mode: view })}
          >
            <Icon size={18} stroke={1.75} />
          </ActionIcon>
        )
      })}
      <ActionIcon
        aria-label={t('close')}
        title={t('close')}
        onClick={() => void display(chat, { visible: false })}
      >
        <IconX size={18} stroke={1.75} />
      </ActionIcon>
    </header>
  )
}

function More() {
  const { t } = useTranslation('assistant')
  const [chat, { popsUp }] = useChat('popsUp')
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon aria-label={t('menu')}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          closeMenuOnClick={false}
          role="menuitemcheckbox"
          aria-checked={popsUp}
          leftSection={<Checkbox readOnly checked={popsUp} tabIndex={-1} aria-hidden size="xs" />}
          onClick={() => chat.setPopUp(!popsUp)}
        >
          {t('popUp')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconHelpCircle size={17} stroke={1.75} />}
          onClick={() => chat.set({ isAskingSupport: true })}
        >
          {t('support')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
