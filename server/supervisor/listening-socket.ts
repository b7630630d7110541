import type { ChildProcess } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import net, { type AddressInfo } from 'node:net'
import { getSystemErrorMap } from 'node:util'
import type { ToChild } from './messages.ts'

/**
 * The socket that is listened on. It outlives the children that answer: the keeper holds it and takes no connection
 * from it; while no child does, those who knock wait in the system's queue.
 */
export interface Door {
  readonly address: AddressInfo
  /** Lets those who knock wait from now on; this child, which need not have loaded its program, asks the system to. */
  holdWith(child: ChildProcess): void
  /** Lets this child take connections. */
  openTo(child: ChildProcess): void
  /** Whoever comes is refused as soon as no child listens any more; may be called again. */
  close(): void
}

/** Node's own handle of a socket, as its cluster module shares it. */
interface Handle {
  getsockname(address: object): number
  close(): void
}

const { _createServerHandle: bind } = net as unknown as {
  _createServerHandle(address: string, port: number, family: number): Handle | number
}

/** Takes the port. Raises the error of the system when it is taken. `beside`: it is not the main one. */
export async function openDoor(port: number, host: string, beside = false): Promise<Door> {
  const { address: ip, family } = await lookup(host)
  const handle = bind(ip, port, family)
  if (typeof handle === 'number') throw failure(handle)
  const address = {} as AddressInfo
  const status = handle.getsockname(address)
  if (status < 0) throw failure(status)
  const tell = (child: ChildProcess, message: ToChild): void => {
    if (child.connected) child.send(message, handle as never, () => {})
  }
  return {
    address,
    holdWith: (child) => tell(child, { say: 'hold' }),
    openTo: (child) => tell(child, { say: 'take', beside }),
    close: () => handle.close(),
  }
}

function failure(status: number): Error {
  const [code, message] = getSystemErrorMap().get(status) ?? ['UNKNOWN', `error ${status}`]
  return Object.assign(new Error(message), { code })
}
