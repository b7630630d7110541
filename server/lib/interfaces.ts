import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

/** Networks within the machine, between it and its own containers: nothing else reaches it there. */
const INNER = /^(docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel|cali|podman|lxc|lxdbr)/

const rangeOf = (address: string) => ipaddr.process(address).range()

/**
 * Where other machines reach this one, as they stand in a URL: its IPv4 addresses, else its IPv6 ones. Those between it
 * and its own containers are none.
 */
export function outwardAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const all = Object.entries(interfaces)
    .filter(([name]) => !INNER.test(name))
    .flatMap(([, list]) => list ?? [])
    .filter(({ address, internal }) => !internal && ipaddr.isValid(address))
    .filter(({ address }) => !['linkLocal', 'loopback', 'unspecified'].includes(rangeOf(address)))
  const v4 = all.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
  return v4.length > 0 ? v4 : all.map(({ address }) => `[${address}]`)
}

/** True where the only way out is a container's own: the machine around it has addresses that are not seen here. */
export function isInnerNetwork(interfaces: Interfaces, inContainer: boolean): boolean {
  const outward = Object.entries(interfaces).filter(([, list]) => list?.some(({ internal }) => !internal))
  return inContainer && outward.every(([name]) => /^eth\d+$/.test(name))
}
