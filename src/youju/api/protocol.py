"""HTTP as the server reads it; what it cannot read is answered with a problem, too."""

from __future__ import annotations

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from youju.api.problems import answered
from youju.errors import InputError


class Protocol(H11Protocol):
    """Answers malformed requests, which no route ever sees, in the shape of all other errors."""

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - the signature of the server
        """Tell the client that its request is no HTTP, and hang up."""
        remedy = "地址里的中文等字符要按 UTF-8 百分号编码；curl 可用 -G --data-urlencode 名称=值"
        response = answered(InputError("请求不是有效的 HTTP", remedy=remedy, code="bad_http"))
        headers = [*response.raw_headers, (b"connection", b"close")]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=bytes(response.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
