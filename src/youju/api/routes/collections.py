"""Collections."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query

from youju.api.bodies import JsonRoute
from youju.api.declared import BODY, failing
from youju.api.deps import Served
from youju.api.schemas.documents import (
    CollectionBody,
    CollectionChange,
    CollectionGone,
    CollectionName,
    CollectionsBody,
)

router = APIRouter(route_class=JsonRoute, prefix="/api/collections", tags=["资料集 Collections"])
Id = Annotated[str, Path(description="资料集的编号 / collection id", max_length=64)]


@router.get("", responses=failing(), summary="列出资料集 / List")
async def list_(served: Served) -> CollectionsBody:
    """所有资料集，按名称。 All collections by name."""
    return CollectionsBody(collections=[CollectionBody(**asdict(one)) for one in await served.desk.collections()])


@router.post("", status_code=201, responses=failing(409, *BODY), summary="新建 / Create")
async def create(asked: CollectionName, served: Served) -> CollectionBody:
    """一个空的资料集；上传时写一个新名称也会新建。 An empty collection; uploads make them, too."""
    return CollectionBody(**asdict(await served.desk.create_collection(asked.name)))


@router.patch("/{collection_id}", responses=failing(404, 409, *BODY), summary="修改 / Change")
async def change(collection_id: Id, asked: CollectionChange, served: Served) -> CollectionBody:
    """改名，或设定以后导入的文件的切分方式；文档仍在其中。 Another name or way of chunking."""
    return CollectionBody(**asdict(await served.desk.change_collection(collection_id, asked.name, asked.strategy)))


@router.delete("/{collection_id}", responses=failing(404, 409, 413, 415, 422), summary="删除 / Delete")
async def delete(
    collection_id: Id,
    served: Served,
    force: Annotated[bool, Query(description="连同其中的文档 / with its documents")] = False,  # noqa: FBT002
) -> CollectionGone:
    """删除空的资料集；`force` 时连同其中的文档。 An empty one; with `force` its documents, too."""
    return CollectionGone.model_validate(await served.desk.delete_collection(collection_id, force=force))
