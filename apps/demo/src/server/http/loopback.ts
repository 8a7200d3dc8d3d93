/** Whether an address reaches only this machine. A name is judged by its text, never looked up. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}
