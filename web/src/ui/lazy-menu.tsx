import type { MenuProps } from '@mantine/core'
import {
  cloneElement,
  type ComponentType,
  type DOMAttributes,
  type MouseEvent,
  type ReactElement,
  type Ref,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from '../lib/translation.ts'
import { part, usePart } from '../lib/part.ts'
import { quiet } from '../lib/quiet.ts'
import { toast } from '../lib/toast.ts'

type Button = ReactElement<DOMAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>

/** What the menu that was loaded is given: whether it is open, and the button that opens it. */
export interface LoadedMenuProps extends Required<Pick<MenuProps, 'opened' | 'onChange'>> {
  button: ReactElement
}

/**
 * A button whose menu is loaded when the first screen stands, or at once when it is pressed: menus are a seventh of all
 * that the app needs, and no screen begins with an open one.
 */
export function lazyMenu<P extends LoadedMenuProps>(load: () => Promise<ComponentType<P>>) {
  let hurry = () => {}
  const pressed = new Promise<void>((resolve) => {
    hurry = resolve
  })
  const wanted = part(() => Promise.race([quiet, pressed]).then(load))

  return function LazyMenu({ button, ...props }: Omit<P, keyof LoadedMenuProps> & { button: Button }) {
    const { t } = useTranslation('common')
    const { value: Loaded, failed } = usePart(wanted)
    const [asked, setAsked] = useState(false)
    const [opened, setOpened] = useState(false)
    const focused = useRef(false)
    const pressing = useRef(false)
    const keepFocus = useCallback((element: HTMLElement | null) => {
      if (element && focused.current) element.focus()
      focused.current = false
    }, [])

    useEffect(() => {
      // Pressed and not yet let go: that button is gone now, and no click comes of it.
      const isWanted = asked || (Loaded !== null && pressing.current)
      if (!isWanted || !(Loaded || failed)) return
      pressing.current = false
      setAsked(false)
      if (Loaded) setOpened(true)
      else toast(t('part.offlineText'), 'failed', t('part.offline'))
    }, [asked, Loaded, failed, t])

    if (Loaded)
      return (
        <Loaded
          {...(props as P)}
          opened={opened}
          onChange={setOpened}
          button={cloneElement(button, { ref: keepFocus })}
        />
      )
    const closed = {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      'aria-busy': asked || undefined,
      onFocus: () => (focused.current = true),
      onBlur: () => (focused.current = false),
      onMouseDown: ({ button: which }: MouseEvent) => (pressing.current = which === 0),
      onMouseLeave: () => (pressing.current = false),
      onClick: () => {
        hurry()
        setAsked(true)
      },
    } as const
    return cloneElement(button, closed)
  }
}
