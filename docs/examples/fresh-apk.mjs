/** As little of an app as the simulated phone installs, in base64: a zip archive with a manifest of one string, its package. */
export const freshApk =
  "UEsDBBQAAAAIAAAAAACr9YqCIwAAACgAAAATAAAAQW5kcm9pZE1hbmlmZXN0LnhtbAXBQQoAEBAAwCn/8Sdp5UDExfPNJFTLlIWnmLYhZM0Rro4P" +
  "UEsBAhQAFAAAAAgAAAAAAKv1ioIjAAAAKAAAABMAAAAAAAAAAAAAAAAAAAAAAEFuZHJvaWRNYW5pZmVzdC54bWxQSwUGAAAAAAEAAQBBAAAAVAAA" +
  "AAAA";
