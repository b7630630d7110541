import { Flex, Stack } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, type TouchEvent, useRef } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import styles from './Slides.module.css'

/** A finger that goes less far only touches. */
const LEAST_PX = 40

/** Hears a finger that is drawn to the left or the right, and leaves to the page one that scrolls it. */
function useSwipe(onSwipe: (way: 'left' | 'right') => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart({ touches }: TouchEvent) {
      const touch = touches[0]
      start.current = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const touch = changedTouches[0]
      if (!start.current || !touch) return
      const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y]
      start.current = null
      if (Math.abs(x) >= LEAST_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 'left' : 'right')
    },
  }
}

export type DotState = 'answered' | 'visited' | 'open'

interface SlidesProps {
  label: string
  /** One for each slide. */
  dots: readonly DotState[]
  at: number
  /** Goes to a slide; called only with one that there is. */
  onGo: (to: number) => void
  /** It stands in the dialog that is open, where arrow keys move it alone. */
  inDialog?: boolean
  /** The slide that is shown. */
  children: ReactNode
}

/** Where an arrow key moves something else. */
const TAKES_ARROWS =
  'input:not([type=checkbox]), textarea, select, [role=slider], [role=tablist], [role=menu]'

/** Slides one by one, with a dot for each: by dots, arrow keys, and with a finger. */
export function Slides({ label, dots, at, onGo, inDialog = false, children }: SlidesProps) {
  const { t } = useTranslation('feedback')
  const go = (to: number) => {
    if (to !== at && to >= 0 && to < dots.length) onGo(to)
  }
  const swipe = useSwipe((way) => go(way === 'left' ? at + 1 : at - 1))
  useWindowEvent('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || event.defaultPrevented) return
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    if (event.target instanceof Element && event.target.closest(TAKES_ARROWS)) return
    if (!inDialog && document.querySelector('[aria-modal=true], dialog[open]')) return
    event.preventDefault()
    go(at + step)
  })
  return (
    <Stack component="section" gap={12} miw={0} aria-roledescription={t('slides.kind')} aria-label={label}>
      <div className={styles.slide} {...swipe} aria-live="polite">
        {children}
      </div>
      {dots.length > 1 && (
        <Flex wrap="wrap" justify="center" role="group" aria-label={t('slides.dots')}>
          {dots.map((state, place) => (
            <button
              // The slides never change places.
              // oxlint-disable-next-line react/no-array-index-key
              key={place}
              type="button"
              className={styles.dot}
              data-state={state}
              aria-current={place === at ? 'step' : undefined}
              aria-label={t(`slides.dot.${state}`, { number: place + 1 })}
              onClick={() => go(place)}
            />
          ))}
        </Flex>
      )}
    </Stack>
  )
}
