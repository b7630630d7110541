import type { ChildProcess } from 'node:child_process'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { ToChild, ToKeeper } from './messages.ts'

const LONGEST_QUEUE = 10_000
const LONGEST_WAIT_MS = 60_000
const LAST_WORDS_MS = 20

/** The listening socket. It outlives the children that answer: while none is ready, connections wait here. */
export interface Door {
  readonly address: AddressInfo
  /** Hands waiting and new connections to this child; null lets them wait. */
  openTo(child: ChildProcess | null): void
  close(): void
}

/** Starts to listen. Raises the error of the system when the port is taken. */
export async function openDoor(port: number, host: string): Promise<Door> {
  const waiting = new Map<Socket, NodeJS.Timeout>()
  /** Handed over, but the child has not said that it took them: when it dies before, the next one gets them. */
  const untaken = new Map<number, Socket>()
  let lastId = 0
  let answering: ChildProcess | null = null

  const admit = (socket: Socket): void => {
    if (answering?.connected) hand(socket, answering)
    else if (waiting.size < LONGEST_QUEUE)
      waiting.set(
        socket,
        setTimeout(() => turnAway(socket), LONGEST_WAIT_MS),
      )
    else socket.destroy()
  }
  const turnAway = (socket: Socket): void => {
    clearTimeout(waiting.get(socket))
    waiting.delete(socket)
    socket.destroy()
  }
  const admitAll = (sockets: Iterable<Socket>): void => {
    for (const socket of sockets) admit(socket)
  }
  const hand = (socket: Socket, child: ChildProcess): void => {
    untaken.set(++lastId, socket)
    child.send({ say: 'connection', id: lastId } satisfies ToChild, socket, { keepOpen: true }, () => {})
  }
  const hear = (message: ToKeeper): void => {
    if (message.say !== 'took') return
    untaken.get(message.id)?.destroy()
    untaken.delete(message.id)
  }

  // What the child's HTTP server would set on its own sockets has to be set here: noDelay stays with the socket.
  const server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (socket) => {
    socket.on('error', () => turnAway(socket))
    admit(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 4096 }, resolve)
  })
  return {
    address: server.address() as AddressInfo,
    openTo(child) {
      answering = child
      if (child === null) return
      child.on('message', hear)
      child.once('exit', () => {
        if (answering === child) answering = null
        // a moment for what it said last
        setTimeout(() => {
          const left = [...untaken.values()]
          untaken.clear()
          admitAll(left)
        }, LAST_WORDS_MS)
      })
      const queue = [...waiting]
      waiting.clear()
      for (const [, timer] of queue) clearTimeout(timer)
      admitAll(queue.map(([socket]) => socket))
    },
    close() {
      server.close()
      for (const socket of waiting.keys()) turnAway(socket)
      for (const socket of untaken.values()) socket.destroy()
    },
  }
}
