import { IconChevronDown, IconChevronRight, IconLogout } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { useSignOut } from '../../features/people/sign-in/sign-in.api.ts'
import { useChannelWords } from '../../features/tell/notifications/useChannelWords.ts'
import { OF_PROFILE, paths } from '../../lib/paths.ts'
import { confirm } from '../../ui/confirm.tsx'
import shared from '../../ui/shared.module.css'
import styles from './PreferencesFrame.module.css'
import { foldedOf, GROUPS, type Section } from './sections.ts'

interface SectionListProps {
  sections: readonly Section[]
  /** Leads away from here: with a sign that says so. */
  isAlone?: boolean
}

/** The sections by their groups, and at the end the way out. */
export function SectionList({ sections, isAlone }: SectionListProps) {
  const { t } = useTranslation('accounts')
  /** The first of the channels that were unfolded. */
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const { pathname } = useLocation()
  const { shown, folded } = unfolded === null ? foldedOf(sections, pathname) : { shown: sections, folded: 0 }
  const unfold = () => setUnfolded(sections.find((one) => !shown.includes(one))?.to ?? null)
  const lastChannel = shown.findLast(({ isOn }) => isOn !== undefined)
  const isWhole = sections.some(({ group }) => group === 'session')
  return (
    <>
      {GROUPS.map((group) => {
        const some = shown.filter((one) => one.group === group)
        if (some.length === 0) return null
        return (
          <section key={group} aria-labelledby={`preferences-${group}`}>
            <h3 id={`preferences-${group}`} className={styles.group}>
              {t(`preferences.groups.${group}`)}
            </h3>
            <ul className={shared.list}>
              {some.map((section) => (
                <Fragment key={section.to}>
                  <li>
                    <Place
                      section={section}
                      isAlone={isAlone === true}
                      takesFocus={section.to === unfolded}
                    />
                  </li>
                  {folded > 0 && section === lastChannel && (
                    <li>
                      <Folded count={folded} onUnfold={unfold} />
                    </li>
                  )}
                </Fragment>
              ))}
              {group === 'session' && isWhole && (
                <li>
                  <Leave />
                </li>
              )}
            </ul>
          </section>
        )
      })}
    </>
  )
}

/** The channels that nobody is told by. */
function Folded({ count, onUnfold }: { count: number; onUnfold: () => void }) {
  const { t } = useTranslation('accounts')
  return (
    <button type="button" className={styles.place} aria-expanded={false} onClick={onUnfold}>
      <IconChevronDown size={18} stroke={1.75} aria-hidden />
      <span>{t('preferences.moreChannels', { count })}</span>
    </button>
  )
}

/** Whoever unfolds by keyboard goes on from there: the button is gone. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

interface PlaceProps {
  section: Section
  isAlone: boolean
  takesFocus: boolean
}

function Place({ section, isAlone, takesFocus }: PlaceProps) {
  const { t } = useTranslation('accounts')
  const channel = useChannelWords()
  const { pathname } = useLocation()
  const { text, icon: Icon, to, isDisabled, isOn } = section
  // Beside the list of all stands the first of them.
  const isShown =
    pathname === to ||
    (!isAlone && pathname === paths.preferences && to === paths.general) ||
    (to === paths.profile && OF_PROFILE.includes(pathname))
  const inside = (
    <>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>
        {typeof text === 'string' ? t(`preferences.sections.${text}`) : channel(text.channel, 'name')}
      </span>
      {isOn !== undefined && <small data-on={isOn}>{t(isOn ? 'preferences.on' : 'preferences.off')}</small>}
      {isAlone && <IconChevronRight size={18} stroke={1.75} aria-hidden />}
    </>
  )
  if (isDisabled)
    return (
      <div className={styles.place} role="link" aria-disabled title={t('preferences.channelsOff')}>
        {inside}
      </div>
    )
  return (
    <Link
      ref={takesFocus ? takeFocus : null}
      to={to}
      className={styles.place}
      aria-current={isShown ? 'page' : undefined}
    >
      {inside}
    </Link>
  )
}

/** Asks first. */
function Leave() {
  const { t } = useTranslation('accounts')
  const { t: common } = useTranslation('common')
  const signOut = useSignOut()
  const leave = async () => {
    const sure = await confirm({
      title: t('preferences.logout.title'),
      text: t('preferences.logout.text'),
      action: t('preferences.logout.button'),
      dismiss: t('preferences.logout.cancel'),
    })
    if (sure) signOut()
  }
  return (
    <button type="button" className={styles.place} onClick={() => void leave()}>
      <IconLogout size={18} stroke={1.75} aria-hidden />
      <span>{common('signOut')}</span>
    </button>
  )
}
