import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import styles from './Toasts.module.css'
import { useEffect } from 'react'
import { type Box, boxAt, choosePlace, type Place } from './toast-place.ts'

const CONTROLS = 'a[href], button, input, select, textarea, [role="slider"], [tabindex="0"]'
/** Around a pointer: whoever aims at something is about to press. */
const AIM_PX = 40

/** As a class of toasts.module.css sets it: what bars and edges take of the window. */
function insetOf(stack: HTMLElement): Box {
  const style = getComputedStyle(stack)
  const px = (side: string) => Number.parseFloat(style.getPropertyValue(`scroll-margin-${side}`)) || 0
  return { left: px('left'), top: px('top'), right: px('right'), bottom: px('bottom') }
}

/** What is being used: what has the focus, what was pressed last, what the pointer is at. */
function usedBoxes(
  stack: HTMLElement,
  pressed: Element | null,
  pointer: { x: number; y: number } | null,
): Box[] {
  const under = pointer && document.elementFromPoint(pointer.x, pointer.y)
  const elements = [document.activeElement, pressed, under].flatMap((element) => {
    const control = element?.closest(CONTROLS)
    return control && !stack.contains(control) ? [control.getBoundingClientRect()] : []
  })
  if (!pointer || stack.contains(under)) return elements
  const { x, y } = pointer
  return [...elements, { left: x - AIM_PX, top: y - AIM_PX, right: x + AIM_PX, bottom: y + AIM_PX }]
}

function controlsBut(stack: HTMLElement): Box[] {
  return [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !stack.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter(({ width, height, bottom, top }) => width > 0 && height > 0 && bottom > 0 && top < innerHeight)
}

/**
 * Keeps the stack of toasts off what is being used: its place is looked for when the first one comes, and again when
 * what it covers comes into use. `find` gives the stack; its `data-place` says where it stands.
 */
function useToastPlace(find: () => HTMLElement | null): void {
  useEffect(() => {
    const found = find()
    if (found === null) return undefined
    const stack: HTMLElement = found
    let place: Place | null = null
    let pressed: Element | null = null
    let pointer: { x: number; y: number } | null = null

    /** Of a toast that only begins to unfold. */
    const LEAST = 80
    function look() {
      const { width, height } = stack.getBoundingClientRect()
      if (height === 0) {
        place = null
        return
      }
      const room = { width: innerWidth, height: innerHeight, inset: insetOf(stack) }
      const size = { width, height: Math.max(height, LEAST) }
      const boxOf = (where: Place) => boxAt(where, size, room)
      place = choosePlace(place, boxOf, usedBoxes(stack, pressed, pointer), place ? [] : controlsBut(stack))
      stack.dataset['place'] = place
    }
    const onPress = (event: PointerEvent) => {
      const { target } = event
      if (!(target instanceof Element) || stack.contains(target)) return
      pressed = target
      look()
    }
    const onMove = (event: PointerEvent) => {
      pointer = event.pointerType === 'mouse' ? { x: event.clientX, y: event.clientY } : null
    }

    const sizes = new ResizeObserver(look)
    sizes.observe(stack)
    const end = new AbortController()
    const quiet = { signal: end.signal, passive: true, capture: true }
    document.addEventListener('pointerdown', onPress, quiet)
    document.addEventListener('pointermove', onMove, quiet)
    document.addEventListener('focusin', look, quiet)
    document.addEventListener('scroll', () => place && look(), quiet)
    window.addEventListener('resize', look, quiet)
    return () => {
      end.abort()
      sizes.disconnect()
    }
  }, [find])
}

/** Dialogs begin at 200: what one says of a printer stands below what is being asked. */
const BELOW_DIALOGS = 150

const stack = () => document.querySelector<HTMLElement>(`.${styles.stack}[data-position='bottom-right']`)

/** Where toasts stand, and how many at once. Loaded as soon as the first screen stands: they must speak when the line is lost, too. */
export function Toasts() {
  useToastPlace(stack)
  return (
    <Notifications
      className={styles.stack ?? ''}
      position="bottom-right"
      withinPortal={false}
      limit={4}
      containerWidth={400}
      zIndex={BELOW_DIALOGS}
    />
  )
}
