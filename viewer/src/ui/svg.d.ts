// Pictures of lucide-static, as text.
declare module '*.svg' {
  const text: string;
  export default text;
}
