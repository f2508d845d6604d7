"""The HTTP application: routes, the gate before them, errors as problems."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI

import youju
from youju.api import problems
from youju.api.deps import assembled
from youju.api.gate import Gate, host_name
from youju.api.metrics import Meter
from youju.api.openapi import described
from youju.api.routes import chat, chats, collections, documents, evals, health, pictures
from youju.compose import App, open_app
from youju.settings import Settings

ABOUT = "从自己的资料里得到有出处、可核对的回答。 Answers from your own material, with page-exact sources."


def create_app(settings: Settings, *, app: App | None = None) -> FastAPI:
    """The application; it opens the store in `settings.data` when it starts and closes it when it ends.

    Args:
        settings: as `settings.load` returned them.
        app: an open product, which whoever opened it closes.

    Raises:
        StoreError, ConfigError: from its start, with a remedy.
    """
    meter = Meter()

    @asynccontextmanager
    async def lifespan(api: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            opened = await stack.enter_async_context(open_app(settings)) if app is None else app
            service = assembled(opened, settings, meter)
            stack.push_async_callback(service.aclose)
            service.start()
            api.state.service = service
            yield
            api.state.service = None

    # The pages that show an OpenAPI description load themselves from elsewhere: nothing here does.
    api = FastAPI(
        title="有据 Youju",
        summary=ABOUT,
        version=youju.__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    problems.install(api)
    api.add_middleware(Gate, allowed=allowed_hosts(settings), meter=meter)
    routes = (chat, documents, pictures, collections, chats, evals, health)
    for router in (documents.uploading, evals.uploading, *(one.router for one in routes)):
        api.include_router(router)
    api.openapi = described(api)  # type: ignore[method-assign]  # the framework's own way to do it
    return api


def allowed_hosts(settings: Settings) -> frozenset[str]:
    """Names in lower case under which the service may be called, besides those of this machine."""
    return frozenset(name for one in settings.server.allowed_hosts.split(",") if (name := host_name(one.strip())))
